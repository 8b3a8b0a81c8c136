/** The routers of the files that records take the place of, as the proxy that reads the files shows them. */
import type { ReplacedRouter } from '../../../../model/replaced-router.ts'
import { type Inventory, type Item, KINDS } from '../inventory.ts'
import { placeKey } from '../place.ts'
import type { ImportedRecord } from '../result.ts'
import { listOf, textOf } from '../../../routes/grammar/tree.ts'

export function replacedRouters(
  inventory: Inventory,
  records: readonly ImportedRecord[],
  staying: readonly Item[],
): readonly ReplacedRouter[] {
  const used = new Set(records.flatMap(({ uses }) => uses.map(placeKey)))
  const kept = new Set(staying.map(placeKey))
  return KINDS.filter((kind) => kind.endsWith('.routers'))
    .flatMap((kind) => [...inventory.items.get(kind)!.values()])
    .filter((item) => used.has(placeKey(item)) && !kept.has(placeKey(item)))
    .map(replacedRouter)
}

function replacedRouter({ name, value }: Item): ReplacedRouter {
  const fields = new Map(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]))
  return {
    router: `${name}@file`,
    rule: textOf(fields.get('rule')) ?? '',
    middlewares: (listOf(fields.get('middlewares')) ?? []).map((one) =>
      one.includes('@') ? one : `${one}@file`,
    ),
  }
}
