/** What is filled in for what a caller leaves out stands in the description as a value, and not in words alone. */
import { expect, it } from 'vitest'
import { FIELDS } from '../../src/model/domain/record.ts'
import { openTestHouse } from './test-house.ts'

/** What no one value tells, by the words of its description. */
const IN_WORDS: readonly string[] = [
  'Default everything',
  'Default tcp for tcp-proxy, else http',
  'Only events after that number. Default: all that are kept for a page, none for a stream',
  'Up to 64 letters, digits or any of @ . _ -; default: the comment',
  'compact: an array for each record, without what a table does not show; default: records',
]

const DOCUMENTS = ['', '/companions/ddns', '/companions/inventory', '/companions/network', '/companions/vpn']

const describedIn = (part: unknown): readonly string[] => {
  if (typeof part !== 'object' || part === null) return []
  const own = (part as { readonly description?: unknown }).description
  return [...(typeof own === 'string' ? [own] : []), ...Object.values(part).flatMap(describedIn)]
}

interface Schema {
  readonly properties: Readonly<Record<string, { readonly default?: unknown }>>
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get?: { readonly parameters?: readonly { name: string; schema: { default?: unknown } }[] } }
    >
  >
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

it('a default stands in the description as a value', async () => {
  await using at = await openTestHouse({ opened: false })
  const documents = await Promise.all(
    DOCUMENTS.map(async (base) => (await at.call('GET', `${base}/openapi.json`)).body as unknown as Document),
  )
  const told = new Set(
    documents.flatMap(describedIn).filter((text) => /\bdefaults? (?!of\b)|\bdefault: /i.test(text)),
  )
  expect([...told].filter((text) => !text.includes('PLUMBLINE_')).toSorted()).toEqual(IN_WORDS)

  const [main, , inventory] = documents as [Document, Document, Document]
  const queryOf = (document: Document, path: string) =>
    Object.fromEntries(
      (document.paths[path]?.get?.parameters ?? []).flatMap(({ name, schema }) =>
        schema.default === undefined ? [] : [[name, schema.default]],
      ),
    )
  expect(queryOf(main, '/api/domains/{domain_id}/effective-config')).toEqual({ check_backend: false })
  expect(queryOf(main, '/api/network/lan-hosts')).toEqual({ online_only: false })
  expect(queryOf(main, '/api/domains')).toEqual({ sort: 'domain', limit: 10_000 })
  expect(queryOf(main, '/api/audit')).toEqual({ limit: 50 })
  expect(queryOf(inventory, '/api/vmid/suggest')).toEqual({ count: 5, hold: 0, allow_incomplete: false })

  const defaultsOf = (name: string) =>
    Object.fromEntries(
      Object.entries(main.components.schemas[name]!.properties).flatMap(([field, { default: value }]) =>
        value === undefined ? [] : [[field, value]],
      ),
    )
  const { cors_enabled, auth_required, ddns_enabled, ssl_enabled, middleware_config, tags } = FIELDS
  const of_new = { cors_enabled, auth_required, ddns_enabled, ssl_enabled, middleware_config, tags }
  const created = Object.fromEntries(Object.entries(of_new).map(([name, field]) => [name, field.default]))
  expect(defaultsOf('DomainCreate')).toEqual(created)
  expect(defaultsOf('EstateEntry')).toEqual(created)
  expect(defaultsOf('ExposeRequest')).toEqual({ ...created, service_type: 'http', environment: 'production' })
  // What an update leaves out stays as it is.
  expect(defaultsOf('DomainUpdate')).toEqual({})
})
