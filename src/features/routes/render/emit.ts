/** Plain data as block YAML for Traefik's reader; its scalars are `quote`d. */
import { quote } from '../../../kernel/text/quoted.ts'
import type { Plain, PlainMap } from './settings.ts'

/** One object of a section, `routers` or another, with its name. */
export const entry = (name: string, config: PlainMap): string =>
  `    ${quote(name)}:\n${block(config, '      ')}`

/** Maps whose keys are names that somebody chose, not Traefik's words. Such keys are quoted, at any depth below. */
const NAME_MAPS: ReadonlySet<string> = new Set([
  'customRequestHeaders',
  'customResponseHeaders',
  'sslProxyHeaders',
  'statusRewrites',
  'plugin',
])

/** A map as block YAML: one line per scalar, keys sorted by code unit, a line break at the end. */
export function block(map: PlainMap, indent: string, quoted_keys = false): string {
  return Object.keys(map)
    .sort()
    .map((key) => {
      const head = `${indent}${quoted_keys ? quote(key) : key}:`
      return `${head}${below(map[key]!, indent, quoted_keys || NAME_MAPS.has(key))}`
    })
    .join('')
}

function below(value: Plain, indent: string, quoted_keys: boolean): string {
  if (typeof value === 'string') return ` ${quote(value)}\n`
  if (typeof value !== 'object') return ` ${value}\n`
  const inner = `${indent}  `
  if (!isList(value)) return `\n${block(value, inner, quoted_keys)}`
  return `\n${value.map((item) => listItem(item, inner, quoted_keys)).join('')}`
}

function listItem(item: Plain, indent: string, quoted_keys: boolean): string {
  if (typeof item !== 'object') return `${indent}-${below(item, indent, quoted_keys)}`
  const inner = `${indent}  `
  const text = isList(item)
    ? item.map((nested) => listItem(nested, inner, quoted_keys)).join('')
    : block(item, inner, quoted_keys)
  return `${indent}- ${text.slice(inner.length)}`
}

const isList = (value: readonly Plain[] | PlainMap): value is readonly Plain[] => Array.isArray(value)
