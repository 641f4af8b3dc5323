// Tests import lists of the page that name its components. Only renderer/tsconfig.json looks into the components.
declare module '*.vue' {
  import type { Component } from 'vue';

  const component: Component;
  export default component;
}
