/** The law of the import, written once and without the import's own code: nothing is dropped silently. */
import type { TraefikDocument } from '../../../../src/features/import/traefik/inventory.ts'
import type { TraefikImport } from '../../../../src/features/import/traefik/result.ts'

const KINDS = ['routers', 'services', 'middlewares']

/** Routers, services and middlewares that neither a record uses nor a leftover names, as `file: place`. */
export function unexplained(documents: readonly TraefikDocument[], result: TraefikImport): string[] {
  const told = new Set(
    [...result.records.flatMap(({ uses }) => uses), ...result.leftovers].map(
      ({ file, where }) => `${file}: ${where}`,
    ),
  )
  return documents
    .flatMap((document) =>
      'data' in document ? defined(document.data).map((where) => [document.file, where]) : [],
    )
    .filter(([file, where]) => {
      const [section, kind] = where!.split('.')
      const names = [where, `${section}.${kind}`, section].map((place) => `${file}: ${place}`)
      return !names.some((name) => told.has(name))
    })
    .map(([file, where]) => `${file}: ${where}`)
}

function defined(data: unknown): string[] {
  return entries(data).flatMap(([section, kinds]) =>
    ['http', 'tcp', 'udp'].includes(section.toLowerCase())
      ? entries(kinds).flatMap(([kind, named]) =>
          KINDS.includes(kind.toLowerCase())
            ? entries(named).map(([name]) => `${section.toLowerCase()}.${kind.toLowerCase()}.${name}`)
            : [],
        )
      : [],
  )
}

const entries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
