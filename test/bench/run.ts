/** `npm run bench`: every goal measured in one run, as ratios and counts. Exit code 1 when one is missed, or could not be measured. */
import { inspect } from 'node:util'
import { activationRows } from './activation.ts'
import { certificateRows } from './certificates.ts'
import { consoleRows } from './console.ts'
import { ddnsRows } from './ddns.ts'
import { deployRows } from './deploy.ts'
import { dnsRows } from './dns.ts'
import { healthRows } from './health.ts'
import { idleRows } from './idle.ts'
import { inventoryRows } from './inventory.ts'
import { largeProxyRows } from './large-proxy.ts'
import { lampRows } from './lamps.ts'
import { networkRows } from './network.ts'
import { printRows } from './measure.ts'
import { peopleRows } from './people.ts'
import { planRows } from './plan.ts'
import { proxyRows } from './proxy.ts'
import { renderRows } from './render.ts'
import { requestRows } from './requests.ts'
import { ssoRows } from './sso.ts'
import { startRows } from './start.ts'
import { vpnPageRows } from './vpn-page.ts'
import { vpnRows } from './vpn.ts'

const parts = {
  render: renderRows,
  deploy: deployRows,
  plan: planRows,
  start: startRows,
  requests: requestRows,
  idle: idleRows,
  dns: dnsRows,
  ddns: ddnsRows,
  certificates: certificateRows,
  people: peopleRows,
  proxy: proxyRows,
  health: healthRows,
  activation: activationRows,
  lamps: lampRows,
  console: consoleRows,
  sso: ssoRows,
  'large-proxy': largeProxyRows,
  inventory: inventoryRows,
  vpn: vpnRows,
  'vpn-page': vpnPageRows,
  network: networkRows,
}
const wanted = process.argv.slice(2)
const rows = []
let unmeasured = 0
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  process.stderr.write(`measuring ${name} …\n`)
  try {
    rows.push(...(await measure()))
  } catch (error) {
    unmeasured += 1
    process.stderr.write(`${name} could not be measured: ${inspect(error)}\n`)
  }
}
process.exitCode = printRows(rows) && unmeasured === 0 ? 0 : 1
