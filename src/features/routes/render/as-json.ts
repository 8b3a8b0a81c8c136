/** A rendering as JSON text, for proxies that fetch it (Traefik's HTTP provider): the same configuration, its keys in the same order. */
import { othersTurn } from '../../../kernel/async/others-turn.ts'
import { Failure } from '../../../kernel/failure.ts'
import { nameOfItem, type RouteObjects } from './objects.ts'
import { isPlainMap, type Plain } from './settings.ts'

/** So many objects are spelt in one turn of the event loop. */
const IN_ONE_TURN = 200

/** Throws `internal` where it is not known what an object says: one that were left out might be a lock. */
export async function routesJson(objects: RouteObjects): Promise<string> {
  // By root and kind: the spelt entries, by their names.
  const file = new Map<string, Map<string, Map<string, string>>>()
  let spelt = 0
  for (const [item, { placed, text, value }] of objects) {
    if (!placed && COMMENTS.test(text)) continue
    if (!placed || value === undefined)
      throw new Failure('internal', 'routes: the released file is not in the form that we write.', {
        inside: text.slice(0, 200),
      })
    if (++spelt % IN_ONE_TURN === 0) await othersTurn()
    const [root = '', kind = ''] = item.split('.', 2)
    const sections = file.get(root) ?? new Map<string, Map<string, string>>()
    const entries = sections.get(kind) ?? new Map<string, string>()
    file.set(root, sections.set(kind, entries.set(nameOfItem(item), jsonOf(value))))
  }
  const kinds = (sections: ReadonlyMap<string, ReadonlyMap<string, string>>) =>
    mapText(sections, (entries) => mapText(entries))
  return mapText(file, kinds)
}

/** A JSON object, its keys sorted. */
function mapText<T>(entries: ReadonlyMap<string, T>, spell = (value: T): string => String(value)): string {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, value]) => `${jsonOf(key)}:${spell(value)}`).join(',')}}`
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
