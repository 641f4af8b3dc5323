import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

const script = `<script setup lang="ts">
import { ref } from 'vue';
import Child from './Child.vue';
const text = ref('');
const number = ref(1);
void [text, number];
</script>
`;
const child = `<script setup lang="ts">
defineProps<{ label: string }>();
defineModel<string>({ required: true });
defineEmits<{ pick: [id: string] }>();
defineSlots<{ default(props: { size: number }): unknown }>();
</script>
<template><slot :size="1" /></template>
`;

test('the check of the page finds what is wrong in a component, and says where', () => {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'components-'));
  const written = join(cache, 'page-types', relative(root, folder));
  onTestFinished(() => [folder, written].forEach((path) => rmSync(path, { recursive: true, force: true })));
  const components = {
    Child: child,
    EventArgument: `${script}<template><Child v-model="text" label="" @pick="(id: number) => id">a</Child></template>`,
    MissingProp: `${script}<template><Child v-model="text" /></template>`,
    Misspelt: `${script}<template><Child v-model="text" :label="txet" /></template>`,
    ModelType: `${script}<template><Child v-model="number" label="" /></template>`,
    PropType: `${script}<template><Child v-model="text" :label="3" /></template>`,
    Right: `${script}<template><Child v-slot="{ size }" v-model="text" :label="text">{{ size }}</Child></template>`,
    Script: `${script.replace("ref('')", 'reff(1)')}<template><Child v-model="text" label="" /></template>`,
    Unused: `${script.replace('void [text, number]', 'void text')}<template><Child v-model="text" label="" /></template>`,
    SlotProp: `${script}<template><Child v-slot="{ seize }" v-model="text" label="">{{ seize }}</Child></template>`,
  };
  for (const [name, text] of Object.entries(components)) writeFileSync(join(folder, `${name}.vue`), text);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../../renderer/tsconfig.json',
      compilerOptions: { types: [], incremental: false, tsBuildInfoFile: null },
    }),
  );

  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['test/tools/page-types.mjs', relative(root, folder)],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const places = stdout.matchAll(/^\S*\/(\w+)\.vue\((\d+),\d+\): error/gm);
  expect(Array.from(places, ([, name, line]) => `${name}:${line}`).sort(), stdout + stderr).toEqual([
    'EventArgument:8',
    'MissingProp:8',
    'Misspelt:8',
    'ModelType:8',
    'PropType:8',
    'Script:4',
    'SlotProp:8',
    'Unused:5',
  ]);
  expect(status).toBe(1);
});
