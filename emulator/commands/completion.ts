import type { Terminal } from './terminal.ts';

/**
 * The shells that can complete words. When Tab is pressed, their script asks `sandpiper complete` for the words that
 * fit.
 */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The answer of `sandpiper complete` if the shell completes file names itself. */
export const filesMark = ':files';

const scripts: { readonly [S in Shell]: string } = {
  bash: `_sandpiper() {
  local line word last cut=
  local -a words=()
  COMPREPLY=()
  # Bash makes a word of its own of each colon.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    last=$((\${#words[@]} - 1))
    if [[ $last -ge 0 && ($word == :* || \${words[last]} == *:) && $COMP_LINE == *"\${words[last]}$word"* ]]; then
      words[last]+=$word
    else
      words+=("$word")
    fi
  done
  last=$((\${#words[@]} - 1))
  if [[ $COMP_WORDBREAKS == *:* && \${words[last]} == *:* ]]; then cut=\${words[last]%:*}:; fi
  while IFS= read -r line; do
    if [ "$line" = "${filesMark}" ]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
      return
    fi
    line=\${line%%$'\\t'*}
    COMPREPLY+=("\${line#"$cut"}")
  done < <(sandpiper complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _sandpiper sandpiper
`,
  zsh: `#compdef sandpiper
_sandpiper() {
  local line
  local -a found
  while IFS= read -r line; do
    if [[ $line == "${filesMark}" ]]; then _files; return; fi
    line=\${line//:/\\\\:}
    found+=("\${line/$'\\t'/:}")
  done < <(sandpiper complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe sandpiper found
}
if [[ $funcstack[1] == _sandpiper ]]; then _sandpiper "$@"; else compdef _sandpiper sandpiper; fi
`,
  fish: `function __sandpiper_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (sandpiper complete -- $words[2..-1] 2>/dev/null)
  if test "$found[1]" = "${filesMark}"
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c sandpiper -f -a '(__sandpiper_complete)'
`,
};

/** `sandpiper completion bash`: prints the script that a shell reads once. */
export function printCompletion(shell: Shell, { stdout }: Terminal): void {
  stdout.write(scripts[shell]);
}
