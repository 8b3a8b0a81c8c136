/** A rendering as JSON text, for proxies that fetch it (Traefik's HTTP provider): the same configuration, its keys in the same order. */
import { Failure } from '../../../kernel/failure.ts'
import { nameOfItem, type RouteObjects } from './objects.ts'
import { isPlainMap, type Plain } from './settings.ts'

/** Throws `internal` where it is not known what an object says: one that were left out might be a lock. */
export function routesJson(objects: RouteObjects): string {
  const file = new Map<string, Map<string, [name: string, value: Plain][]>>()
  for (const [item, { placed, text, value }] of objects) {
    if (!placed && COMMENTS.test(text)) continue
    if (!placed || value === undefined)
      throw new Failure('internal', 'routes: the released file is not in the form that we write.', {
        inside: text.slice(0, 200),
      })
    const [root = '', kind = ''] = item.split('.', 2)
    const sections = file.get(root) ?? new Map<string, [string, Plain][]>()
    file.set(root, sections)
    const entries = sections.get(kind) ?? []
    sections.set(kind, entries)
    entries.push([nameOfItem(item), value])
  }
  return jsonOf(
    // Not by assignment: "__proto__" is a name like any other.
    Object.fromEntries(
      [...file].map(([root, sections]) => [
        root,
        Object.fromEntries([...sections].map(([kind, entries]) => [kind, Object.fromEntries(entries)])),
      ]),
    ),
  )
}

const COMMENTS = /^(?:#.*\n|\n)*$/

/** With its keys in the order of the file, and with the texts that the file can spell. */
function asEmitted(value: Plain): Plain {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object') return value
  if (!isPlainMap(value)) return value.map(asEmitted)
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, asEmitted(value[key]!)]),
  )
}

// eslint-disable-next-line no-control-regex
const BEYOND_ASCII = /[\u007f-\uffff]/g
const SURROGATE = /[\ud800-\udfff]/

/**
 * Traefik reads JSON with its YAML reader, which refuses an astral character that is spelt as two escapes and some control
 * characters that are not spelt as one: the former stand for themselves, everything else beyond ASCII is an escape.
 */
export const jsonOf = (value: Plain): string =>
  JSON.stringify(asEmitted(value)).replace(BEYOND_ASCII, (unit) =>
    SURROGATE.test(unit) ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
