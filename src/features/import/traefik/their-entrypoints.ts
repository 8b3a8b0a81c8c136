/**
 * Entrypoints as the files call them. What an entrypoint is for counts, not its name: half of all installations call theirs
 * `http` and `https`. One of theirs stands for one of ours where it alone may be it: it is called or numbered so, we know no
 * entrypoint of that name, and theirs has none of our name beside it. Otherwise two doors, of which one may be for a network of
 * its own, would become one.
 */
import { guessedRole } from '../../../model/domain/entrypoint-role.ts'
import type { ImportContext, ImportEntrypoint } from '../../../ports/import-context.ts'
import type { Inventory, Item } from './inventory.ts'
import { named } from '../../routes/grammar/named.ts'
import { listOf } from '../../routes/grammar/tree.ts'

/** The context with the names of the files. */
export function withTheirNames(inventory: Inventory, given: ImportContext): ImportContext {
  const context = { ...given, static_setup: given.static_setup ?? fittingSetup(inventory, given) }
  const theirs = theirEntrypoints(inventory, context)
  return {
    ...context,
    entrypoints: context.entrypoints.map((ours, i) => {
      const { kind, name } = ours
      const is_first = context.entrypoints.findIndex((one) => one.kind === kind) === i
      if (kind === 'tcp' || !is_first || theirs.some((one) => one.name === name)) return ours
      const alike = theirs.filter(
        (one) => one.role === kind && !context.entrypoints.some((known) => known.name === one.name),
      )
      return alike.length === 1 ? { ...ours, name: alike[0]!.name, ours: name } : ours
    }),
  }
}

/** Files that name what the proxy lacks are those of another one. */
function fittingSetup(
  inventory: Inventory,
  { proxy_setup = null }: Pick<ImportContext, 'proxy_setup'>,
): ImportContext['static_setup'] {
  const has = new Set(proxy_setup?.entrypoints.map(({ name }) => name))
  return namesIn(inventory).every((name) => has.has(name)) ? proxy_setup : null
}

interface TheirEntrypoint {
  readonly name: string
  readonly role: ImportEntrypoint['kind'] | null
}

/** By Traefik's static configuration or, without it, those that routers name. */
function theirEntrypoints(
  inventory: Inventory,
  { static_setup }: Pick<ImportContext, 'static_setup'>,
): readonly TheirEntrypoint[] {
  const known = static_setup?.entrypoints ?? namesIn(inventory).map((name) => ({ name, port: null }))
  return known.map(({ name, port }) => ({ name, role: guessedRole(name, port) }))
}

function namesIn({ items, duplicates }: Inventory): readonly string[] {
  const routers = (['http.routers', 'tcp.routers'] as const).flatMap((kind) => [...items.get(kind)!.values()])
  return [...new Set([...routers, ...duplicates.keys()].flatMap(entrypointsOf))]
}

const entrypointsOf = ({ kind, value }: Item): readonly string[] =>
  kind.endsWith('.routers')
    ? Object.entries(value).flatMap(([key, inner]) =>
        key.toLowerCase() === 'entrypoints' ? (listOf(inner) ?? []) : [],
      )
    : []

/** As records name it. */
export const ourName = (name: string, { entrypoints }: Pick<ImportContext, 'entrypoints'>): string =>
  entrypoints.find((one) => one.name === name)?.ours ?? name

/** A proxy that goes on calling them so serves no record until the setting does, too. */
export const renamedNotes = (
  names: readonly string[] | null,
  { entrypoints }: Pick<ImportContext, 'entrypoints'>,
): string[] =>
  entrypoints.flatMap(({ name, ours }) =>
    ours !== undefined && names?.includes(name) === true
      ? [`it is on ${named(name)}, which this installation calls ${named(ours)} (PLUMBLINE_ENTRYPOINTS)`]
      : [],
  )
