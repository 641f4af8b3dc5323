/** Texts that run if a page treats captured content as markup, a link or a template. Each would set `window.__xss`. */
export const xssStrings: readonly string[] = [
  '<script>window.__xss=1</script>',
  '"><img src=x onerror="window.__xss=1">',
  "'><svg/onload=window.__xss=1>",
  '<iframe srcdoc="<script>parent.__xss=1</script>"></iframe>',
  'javascript:window.__xss=1',
  'data:text/html,<script>window.__xss=1</script>',
  '{{constructor.constructor("window.__xss=1")()}}',
  '${window.__xss=1}',
  '<a href="javascript:window.__xss=1">x</a>',
  '<style>@import "javascript:window.__xss=1"</style><link rel=stylesheet href=//example.com/x.css>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=window.__xss=1>',
  '</textarea><script>window.__xss=1</script><!--',
  '\u202E<b onmouseover=window.__xss=1>gnp.exe',
];

/** All of them in one field. */
export const xss = xssStrings.join(' ');
