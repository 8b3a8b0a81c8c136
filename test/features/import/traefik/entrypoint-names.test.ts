/** Files whose entrypoints are called otherwise than the installation's mean the same: what counts is what an entrypoint is for. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { yamlDocuments } from '../../../../src/io/yaml/documents.ts'
import { fromTraefik } from '../../../../src/features/import/traefik.ts'
import { traefikDocument } from '../../../../src/features/import/traefik/document.ts'
import type { TraefikDocument } from '../../../../src/features/import/traefik/inventory.ts'
import { staticSetup } from '../../../../src/features/routes/grammar/static-config.ts'
import { CONTEXT } from './context.ts'

const ROOT = new URL('../../../../fixtures/traefik-import/', import.meta.url)

function documentsOf(name: string): readonly TraefikDocument[] {
  const folder = new URL(`${name}/`, ROOT)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yml'))
    .toSorted()
    .map((file) => traefikDocument(file, readFileSync(new URL(file, folder), 'utf8'), yamlDocuments))
}

/** The same files by somebody who calls theirs otherwise. */
function renamed<T>(value: T, names: Readonly<Record<string, string>>): T {
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.entries(value).map(([key, one]: [string, unknown]) => {
    if (key.toLowerCase() !== 'entrypoints') return [key, renamed(one, names)]
    const listed = Array.isArray(one) ? (one as readonly string[]) : [one as string]
    return [key, listed.map((name) => names[name] ?? name)]
  })
  return (Array.isArray(value) ? inner.map(([, one]) => one) : Object.fromEntries(inner)) as T
}

const read = (documents: readonly TraefikDocument[]) => {
  const { records, leftovers } = fromTraefik(documents, CONTEXT)
  return {
    records: records.map(({ input, notes, source, uses }) => ({
      input,
      source,
      uses,
      notes: notes.filter((note) => !note.includes('which this installation calls')),
    })),
    left: leftovers.map(({ file, where }) => `${file} ${where}`),
  }
}

describe.each<[string, Readonly<Record<string, string>>]>([
  ['http and https', { web: 'http', websecure: 'https' }],
  ['web and web-secure', { websecure: 'web-secure' }],
])('files with %s', (_, names) => {
  test.each(readdirSync(ROOT).toSorted())('of %s become the same records', (name) => {
    const documents = documentsOf(name)
    expect(read(renamed(documents, names))).toEqual(read(documents))
  })

  test('say in the records which is which', () => {
    const { records } = fromTraefik(renamed(documentsOf('homelab'), names), CONTEXT)
    const theirs = names['websecure']!
    const said = records.filter(({ notes }) =>
      notes.join().includes(`it is on \`${theirs}\`, which this installation calls \`websecure\``),
    )
    expect(said.length).toBe(records.filter(({ input }) => input.ssl_enabled).length)
    expect(said.length).toBeGreaterThan(5)
  })
})

describe('an installation that calls them so itself', () => {
  test('has no word to say of it', () => {
    const names = { web: 'http', websecure: 'https' }
    const here = (name: string): string => (names as Readonly<Record<string, string>>)[name] ?? name
    const documents = documentsOf('homelab')
    const found = fromTraefik(renamed(documents, names), {
      ...CONTEXT,
      entrypoints: CONTEXT.entrypoints.map((one) => ({ ...one, name: here(one.name) })),
      offer: {
        ...CONTEXT.offer,
        tcp_entrypoints: CONTEXT.offer.tcp_entrypoints.map(here),
        tls_entrypoint: 'https',
      },
    })
    expect(found.records.map(({ input }) => input)).toEqual(
      fromTraefik(documents, CONTEXT).records.map(({ input }) => input),
    )
    expect(JSON.stringify(found)).not.toContain('this installation calls')
  })
})

describe('a router stays where its entrypoint may be for anything', () => {
  const site = (entryPoints: readonly string[], more: object = {}) => ({
    file: 'a.yml',
    data: {
      http: {
        routers: {
          app: { rule: 'Host(`app.example.com`)', service: 'app', entryPoints, tls: {} },
          ...more,
        },
        services: { app: { loadBalancer: { servers: [{ url: 'http://10.0.0.1:80' }] } } },
      },
    },
  })
  const other = (entryPoints: readonly string[]) => ({
    b: { rule: 'Host(`b.example.com`)', service: 'app', entryPoints, tls: {} },
  })
  const taken = (document: object, setup: object | null = null): readonly string[] =>
    fromTraefik([document as TraefikDocument], {
      ...CONTEXT,
      static_setup: setup === null ? null : staticSetup({ entryPoints: setup }),
    }).records.map(({ input }) => input.domain)

  test.each<[string, object, object | null, readonly string[]]>([
    ['of an own name', site(['lan']), null, []],
    ['of the usual name', site(['https']), null, ['app.example.com']],
    ['beside ours', site(['https'], other(['websecure'])), null, ['b.example.com']],
    ['beside another of the kind', site(['https'], other(['web-secure'])), null, []],
    ['for TCP here', site(['ldaps']), null, []],
    ['on the public port', site(['lan']), { lan: { address: ':443' } }, ['app.example.com']],
    ['on another port', site(['lan']), { lan: { address: ':8443', http: { tls: {} } } }, []],
    [
      'where the proxy has ours, too',
      site(['https']),
      { https: { address: ':8443' }, websecure: { address: ':443' } },
      [],
    ],
    [
      'where the proxy has two',
      site(['https']),
      { https: { address: ':8443' }, lan: { address: ':443' } },
      [],
    ],
  ])('%s', (_, document, setup, domains) => {
    expect(taken(document, setup)).toEqual(domains)
  })
})
