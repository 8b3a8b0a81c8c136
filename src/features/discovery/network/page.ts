/**
 * The page at `/network`: a document that works without scripts, in light and dark, and refreshes itself.
 *
 * Names in it were chosen by whoever joined the network, so every text goes through the template tag, which escapes it;
 * the policy allows this one style sheet and nothing else.
 */
import { createHash } from 'node:crypto'
import { type Instant, isoTime } from '../../../kernel/clock.ts'
import { inboundSection } from './inbound-page.ts'
import { html, type Html, NOTHING } from './html.ts'
import type { LanHostView, SourceView } from '../views.ts'
import type { NetworkSummary, SiteSummary } from './views.ts'

export interface NetworkPage {
  readonly summary: NetworkSummary
  /** Those that are online; null where nothing is known. */
  readonly hosts: readonly LanHostView[] | null
  readonly now: Instant
}

/** More make no page that anybody reads; the API has them all. */
const MAX_HOSTS_PER_SITE = 500

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --good: #1a7f4b; --bad: #c62828; --unsure: #9a6700 }
@media (prefers-color-scheme: dark) { :root { --good: #4cc38a; --bad: #ff8078; --unsure: #e3b341 } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
h1 { font-size: 1.5rem; margin: 0 }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem }
.plain { list-style: none; margin: .25rem 0; padding: 0 }
.time, .more { opacity: .7 }
.cards { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); margin: .75rem 0 }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem }
.card b { display: block; font-size: 1.3rem; font-weight: 600; overflow-wrap: anywhere }
.note { background: var(--soft); border-left: 4px solid var(--unsure); margin: 1rem 0; padding: .6rem 1rem }
.good { color: var(--good) } .bad { color: var(--bad) } .unsure { color: var(--unsure) }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem .3rem 0; text-align: left; white-space: nowrap }
td.said { min-width: 11rem; white-space: normal }
td:first-child { max-width: 22rem; overflow: hidden; text-overflow: ellipsis }
`

export const NETWORK_PAGE_HEADERS = {
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
}

export function networkPage({ summary, hosts, now }: NetworkPage): string {
  const sites = summary.sites ?? []
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="refresh" content="60" />
        <title>Network – Plumbline</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <h1>Network</h1>
        <p class="time">As of ${shown(isoTime(now))} · <a href="/">Console</a></p>
        ${summary.sources.map(sourceNote)} ${sites.map((site) => siteSection(site, hosts ?? []))}
      </body>
    </html> `
  return page.text
}

/** Not through a template that a formatter may lay out anew: the policy names the digest of exactly this text. */
const STYLE_ELEMENT: Html = { text: `<style>${STYLE}</style>` }

const shown = (iso: string): string => iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')

/** What is missing is said before what is there. */
function sourceNote({ configured, known, name, detail }: SourceView): Html {
  if (!configured)
    return html`<p class="note">
      No network controller is configured. Set PLUMBLINE_UNIFI_URL to see one here.
    </p>`
  if (known === true)
    return detail === null
      ? NOTHING
      : html`<p class="note"><strong class="unsure">Not all is known.</strong> ${detail}</p>`
  return html`<p class="note"><strong class="unsure">${name ?? ''} is unknown.</strong> ${detail ?? ''}</p>`
}

function siteSection(site: SiteSummary, hosts: readonly LanHostView[]): Html {
  const own = hosts
    .filter((host) => host.site === site.site && host.controller === site.controller)
    .toSorted((a, b) => NATURAL.compare(a.name, b.name))
  return html`<section>
    <h2>${site.label} <span class="time">${site.controller}</span></h2>
    <div class="cards">
      ${(site.wan ?? []).map(
        ({ name, status, address, latency_ms }) =>
          html`<div class="card">
            ${name.toUpperCase()} <span class="${toneOf(status)}">${status}</span
            ><b>${address ?? 'no address'}</b>
            ${latency_ms === null ? '' : `${latency_ms} ms`}
          </div>`,
      )}
      <div class="card">VPN${vpnOf(site)}</div>
      ${clientsCard(site)} ${devicesCard(site)}
    </div>
    ${inboundSection(site)}
    ${own.length > 0 ? hostTable(own) : site.clients === null ? NOTHING : html`<p class="more">Nobody is online.</p>`}
  </section>`
}

function clientsCard({ clients }: SiteSummary): Html {
  if (clients === null) return html`<div class="card">Clients<b>unknown</b></div>`
  const { online, wired, wireless, guest } = clients
  return html`<div class="card">
    Clients<b>${online}</b>${wired} wired, ${wireless} wireless, ${guest} guests
  </div>`
}

function devicesCard({ devices }: SiteSummary): Html {
  if (devices === null) return html`<div class="card">Devices<b>unknown</b></div>`
  const { total, offline } = devices
  return html`<div class="card">
    Devices<b>${total}</b><span class="${offline === 0 ? 'good' : 'bad'}">${offline} offline</span>
  </div>`
}

/** `client-2` before `client-10`. */
const NATURAL = new Intl.Collator('en', { numeric: true })

const toneOf = (status: string): string => (status === 'ok' ? 'good' : status === 'error' ? 'bad' : 'unsure')

function vpnOf({ vpn: { status, active } }: SiteSummary): Html {
  if (status === null) return html`<b>none</b>`
  return html` <span class="${toneOf(status)}">${status}</span><b>${active ?? '–'}</b>active`
}

function hostTable(hosts: readonly LanHostView[]): Html {
  const more = hosts.length - MAX_HOSTS_PER_SITE
  return html`<h3>Who is here</h3>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Address</th>
            <th>Network</th>
            <th>Link</th>
            <th>MAC</th>
            <th>Vendor</th>
          </tr>
        </thead>
        <tbody>
          ${hosts.slice(0, MAX_HOSTS_PER_SITE).map(hostRow)}
        </tbody>
      </table>
    </div>
    ${more > 0 ? html`<p class="more">and ${more} more, at /api/network/lan-hosts</p>` : NOTHING}`
}

const hostRow = ({ name, address, network, kind, wired, mac, vendor }: LanHostView): Html =>
  html`<tr>
    <td title="${name}">${name}</td>
    <td>${address ?? '–'}</td>
    <td>${network ?? '–'}</td>
    <td>${kind === 'device' ? 'device' : wired === null ? '–' : wired ? 'wired' : 'wireless'}</td>
    <td>${mac}</td>
    <td>${vendor ?? '–'}</td>
  </tr> `
