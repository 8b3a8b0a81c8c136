/** Cold rendering against `yaml` stringify of the same tree. */
import { parse, stringify } from 'yaml'
import type { Intent } from '../../src/model/intent.ts'
import { renderRoutes } from '../../src/features/routes/target/desire.ts'
import { someSettings } from '../features/routes/target/settings.ts'
import { intentOf } from './intent.ts'
import { ms, paired, type Row } from './measure.ts'

const SETTINGS = someSettings()

/** The tree that our bytes stand for. Read in parts: the library's own check for duplicate keys is quadratic. */
const treeOf = (intent: Intent): unknown =>
  parse(Buffer.concat(renderRoutes(intent, SETTINGS).chunks).toString('latin1'), { uniqueKeys: false })

/** Compiled code on both sides: what is compared is the work of a render without any cache, not that of the compiler. */
const WARM_UP = 50

export async function renderRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const [size, rounds] of [
    [1000, 15],
    [10_000, 5],
  ] as const) {
    const intent = intentOf(size)
    const tree = treeOf(intent)
    for (let i = 0; i < WARM_UP; i++) renderRoutes(intent, SETTINGS)
    const pair = await paired(
      { rounds, ours_per_round: 10 },
      () => renderRoutes(intent, SETTINGS),
      () => stringify(tree, { sortMapEntries: true }),
    )
    rows.push({
      goal: `cold render of ${size} domains against \`yaml\` stringify`,
      figure: `${pair.times_faster.toFixed(0)}x faster (${ms(pair.ours_ms)} against ${ms(pair.theirs_ms)} ms)`,
      limit: 'at least 60x',
      ok: pair.times_faster >= 60,
    })
  }
  return rows
}
