/** Files of the proxy's folder that were made to be slow to judge: nobody else waits for them for long. */
import { expect, it } from 'vitest'
import { readToml } from '../../../../src/io/toml/read.ts'
import { readGoYaml } from '../../../../src/io/yaml/go-tree.ts'
import type { NeighbourList } from '../../../../src/features/routes/folder/port.ts'
import { routesFolderCheck } from '../../../../src/features/routes/folder-check.ts'
import { evaluateDynamicFile } from '../../../../src/features/routes/opens/dynamic-file.ts'

/** Of the processor's time, which is the same on a busy machine. */
const MAX_MS = 3000
const usedSince = (began: NodeJS.CpuUsage): number => process.cpuUsage(began).user / 1000
const took = (work: () => void): number => {
  const began = process.cpuUsage()
  work()
  return usedSince(began)
}
const { signal } = new AbortController()

it('TOML with long lines of blanks (50 s before)', () => {
  const blanks = `${' '.repeat(499)}\n`.repeat(500)
  expect(took(() => expect(readToml(`${blanks}a = 1\n`).ok).toBe(true))).toBeLessThan(MAX_MS)
})

it('a duration of a hundred thousand digits (19 s before)', () => {
  const text = `http:\n  services:\n    a:\n      loadBalancer:\n        responseForwarding:\n          flushInterval: "${'1'.repeat(100_000)}"\n`
  const read = readGoYaml(text)
  if (!read.ok) throw new Error(read.why)
  expect(took(() => expect(evaluateDynamicFile(read.root, true).kind).toBe('refused'))).toBeLessThan(MAX_MS)
})

const listing = (texts: readonly string[]): NeighbourList => ({
  found: texts.map((text, i) => ({ file: `/folder/${i}.yml`, text, mode: 0o644 })),
  beyond: 0,
})
const checkOf = (texts: readonly string[], evaluate: () => void = () => undefined) => {
  const list = listing(texts)
  return routesFolderCheck(
    { folder: '/folder', folderFault: () => Promise.resolve(null), list: () => Promise.resolve(list) },
    {
      version: () => '3.7.9',
      evaluate: async () => (
        evaluate(),
        { kind: 'taken', names: [], routes: { routers: [], middlewares: [] } }
      ),
    },
    () => Promise.resolve({ in_the_way: [], unevaluated: [], perhaps_open: [] }),
  )
}

it('a template of many lines without a comment (a minute before), in which our names are found all the same', async () => {
  const template = `a: {{ b }}\n${'x: y\n'.repeat(200_000)}`
  const ours = 'plumbline-site_app.example.com:'
  const check = checkOf([template, `${template}  ${ours}\n`, `${template}# ${ours}\n`])
  const began = process.cpuUsage()
  const { differences } = await check.look({ signal, afresh: true })
  expect(usedSince(began)).toBeLessThan(MAX_MS)
  expect(differences.map(({ item }) => item)).toEqual(['/folder/1.yml'])
})

it.each<[string, boolean]>([
  ['    plumbline-sso:\n', true],
  ["    'plumbline-no-identity' :\n", true],
  ['  middlewares: { "plumbline-document_a.example.com": { headers: {} } }\n', true],
  ['    plumbline-open-{{ $part }}_a.example.com:\r\n', true],
  ['[http.serversTransports.plumbline-transport_x]\n', true],
  ['[http.middlewares]\nplumbline-sso = { }\n', true],
  ['    a: { middlewares: [plumbline-sso@file, "plumbline-no-identity"] }\n', false],
  ['          - plumbline-sso\n', false],
  ['          - url: http://plumbline-api:8080\n', false],
  ['    a: b # plumbline-sso:\n', false],
])('in a template, names of ours are found where they are defined: %j', async (line, is_ours) => {
  const { differences } = await checkOf([`{{ a }}\n${line}`]).look({ signal, afresh: true })
  expect(differences).toHaveLength(is_ours ? 1 : 0)
})

it('in a template, names of ours that never end are looked for in no time', async () => {
  const texts = ['plumbline-', 'plumbline-{{', 'plumbline-a ', '[http.plumbline-'].map(
    (one) => `{{ a }}${one.repeat(90_000)}`,
  )
  const check = checkOf(texts)
  const began = process.cpuUsage()
  await check.look({ signal, afresh: true })
  expect(usedSince(began)).toBeLessThan(MAX_MS)
})

it('between two files everybody else has a turn', async () => {
  let turns = 0
  const counter = setInterval(() => turns++, 1)
  const slow = () => {
    const until = performance.now() + 20
    while (performance.now() < until);
  }
  try {
    await checkOf(
      Array.from({ length: 20 }, () => 'a: 1\n'),
      slow,
    ).look({ signal, afresh: true })
  } finally {
    clearInterval(counter)
  }
  expect(turns).toBeGreaterThan(10)
})
