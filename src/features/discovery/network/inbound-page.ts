/** The part of the network page on what comes in from the internet: whether it reaches the proxy, and what else is open. */
import { html, type Html, NOTHING } from './html.ts'
import type { SiteSummary, ProxyReach, ForwardView, InboundRuleView } from './views.ts'

/** Nothing at a site that has no gateway: there is nothing to say of it. */
export function inboundSection({ inbound }: SiteSummary): Html {
  const { has_gateway, forwards, rules, proxy, unreadable, detail } = inbound
  if (has_gateway === false) return NOTHING
  return html`<h3>From the internet</h3>
    <ul class="plain">
      ${proxy.map(reachLine)}
    </ul>
    ${detail === null ? NOTHING : html`<p class="note">${detail}</p>`}
    ${unreadable === 0 ? NOTHING : html`<p class="note">Port forwards that cannot be read: ${unreadable}.</p>`}
    ${forwards === null || forwards.length === 0 ? NOTHING : forwardTable(forwards)}
    ${rules === null || rules.length === 0 ? NOTHING : ruleTable(rules)}`
}

const toneOf = (value: boolean | null): string => (value === null ? 'unsure' : value ? 'good' : 'bad')

function reachLine({ port, reaches, evidence }: ProxyReach): Html {
  const words = reaches === null ? 'unknown' : reaches ? 'leads to the proxy' : 'does not lead to the proxy'
  return html`<li>TCP ${port} <strong class="${toneOf(reaches)}">${words}</strong>: ${evidence}</li>`
}

/** What nothing explains stands first. */
function forwardTable(forwards: readonly ForwardView[]): Html {
  const weight = ({ enabled, explained }: ForwardView) => (enabled ? (explained === true ? 1 : 0) : 2)
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          <th>Forward</th>
          <th>Explained by</th>
          <th>Ports</th>
          <th>To</th>
          <th>For</th>
        </tr>
      </thead>
      <tbody>
        ${forwards.toSorted((a, b) => weight(a) - weight(b)).map(forwardRow)}
      </tbody>
    </table>
  </div>`
}

const PROTOCOLS = { tcp: 'TCP', udp: 'UDP', tcp_udp: 'TCP, UDP' } as const

const forwardRow = (forward: ForwardView): Html => {
  const { name, protocol, uplink, ports, to_address, to_ports, to_name, from } = forward
  return html`<tr>
    <td title="${name}">${name}</td>
    <td class="said">${explainedBy(forward)}</td>
    <td>${PROTOCOLS[protocol]} ${ports} (${uplink})</td>
    <td>${to_address}:${to_ports}${to_name === null ? '' : ` ${to_name}`}</td>
    <td>${from ?? 'everybody'}</td>
  </tr> `
}

function explainedBy({ enabled, explained, domains, why }: ForwardView): Html {
  if (!enabled) return html`<span class="more">switched off</span>`
  if (explained === true)
    return html`<span class="good">${domains.length > 0 ? domains.join(', ') : why}</span>`
  return explained === null
    ? html`<span class="unsure">unknown: ${why}</span>`
    : html`<span class="bad">nothing: ${why}</span>`
}

function ruleTable(rules: readonly InboundRuleView[]): Html {
  return html`<h3>Firewall rules for it</h3>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th>Rule</th>
            <th>Does</th>
            <th>To</th>
            <th>Protocol</th>
            <th>Ports</th>
          </tr>
        </thead>
        <tbody>
          ${rules.map(
            ({ name, lets_in, to, protocol, ports }) =>
              html`<tr>
                <td title="${name}">${name}</td>
                <td>${lets_in ? 'lets in' : 'keeps out'}</td>
                <td>${to}</td>
                <td>${protocol}</td>
                <td>${ports ?? 'any, or not told'}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`
}
