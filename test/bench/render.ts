/** Cold rendering against `yaml` stringify of the same tree. */
import { parse, stringify } from 'yaml'
import { byDomain, type Intent } from '../../src/model/intent.ts'
import { checkNew } from '../../src/model/domain-rules.ts'
import { renderRoutes } from '../../src/targets/routes/desire.ts'
import { estateOf } from './estate.ts'
import { ms, paired, type Row } from './measure.ts'

const SETTINGS = {
  traefik_version: [3, 0, 0],
  cert_resolver: 'letsencrypt',
  http_entrypoint: 'web',
  https_entrypoint: 'websecure',
  sso_forward_auth_url: 'http://authelia:9091/api/authz/forward-auth',
  own_middlewares: new Map(),
} as const

const OFFER = { tcp_entrypoints: [], tls_entrypoint: 'websecure', middlewares: new Map() }

function intentOf(size: number): Intent {
  const rows = estateOf(size).map(({ fields }, index) => {
    const checked = checkNew(fields, OFFER)
    if (!checked.ok) throw new Error(JSON.stringify(checked.errors))
    return { domain_id: index + 1, revision: 1, live: true, retired: false, fields: checked.fields }
  })
  return { rows: rows.sort(byDomain) }
}

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
