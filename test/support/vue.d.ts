// Tests import lists of the page that name its components; only renderer/tsconfig.json looks into those.
declare module '*.vue' {
  import type { Component } from 'vue';

  const component: Component;
  export default component;
}
