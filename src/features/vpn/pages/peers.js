/** The table of the peers: a row for each, made once and changed in place; filtered by site and by words. */
import { picture } from './cards.js'
import { byId, copyButton, el, lamp, place, setText } from './dom.js'
import { ago, both, shortKey, wholeTime } from './words.js'

const rows = new Map()

/**
 * @param state `{ sites, peers, problem }`: null where it was not told yet; @param wish `{ site, words }`
 * @param acts `{ open(peer, kind), reset(), again() }`
 */
export function showPeers(state, wish, acts) {
  const shown = (state.peers ?? []).filter((peer) => fits(peer, wish))
  place(
    byId('rows'),
    shown.map((peer) => rowOf(peer, wish, acts)),
  )
  byId('table').hidden = shown.length === 0
  const instead = shown.length > 0 ? null : pictureOf(state, wish, acts)
  const box = byId('picture')
  if (instead !== 'loading') {
    box.setAttribute('aria-busy', 'false')
    if (box.dataset.shown !== (instead?.textContent ?? '')) box.replaceChildren(...(instead ? [instead] : []))
    box.dataset.shown = instead?.textContent ?? ''
  }
  showGap(state, wish, shown.length)
  forget(state.peers)
}

const keyOf = (peer) => `${peer.site_id} ${peer.public_key}`

function fits({ site_id, name, tunnel_ips, public_key }, { site, words }) {
  if (site !== null && site_id !== site) return false
  const text = [name, ...tunnel_ips, public_key].join('\n').toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Sorted by name, as people read: `tv 10` comes after `tv 9`. */
const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
export const sorted = (peers) =>
  peers.toSorted((a, b) => order.compare(a.name, b.name) || order.compare(a.site_id, b.site_id))

function rowOf(peer, { site }, acts) {
  const key = keyOf(peer)
  const row = rows.get(key) ?? newRow(key, acts)
  row.peer = peer
  setText(row.name, peer.name)
  for (const of of row.of) setText(of, ` of ${peer.name}`)
  setText(row.site, peer.site_name)
  row.site.hidden = site !== null
  const state = !peer.is_known ? 'unknown' : peer.online ? 'ok' : 'idle'
  if (row.lamp.dataset.state !== state) row.lamp.replaceChildren(lamp(state), srOnly(STATES_OF_PEERS[state]))
  row.lamp.dataset.state = state
  setText(row.ip, peer.tunnel_ip ?? 'none')
  row.ip.title = peer.tunnel_ips.join(', ')
  setText(row.total, both(peer.rx_bytes, peer.tx_bytes))
  setText(row.rate, peer.rx_rate === null ? '' : both(peer.rx_rate, peer.tx_rate, '/s'))
  tickRow(row)
  return row.root
}

const STATES_OF_PEERS = { ok: 'online', idle: 'idle', unknown: 'not known as of now' }

const srOnly = (text) => el('span', { class: 'sr' }, text)

function newRow(key, { open }) {
  const row = {
    peer: null,
    lamp: el('span', {}),
    name: el('span', { class: 'name' }),
    site: el('span', { class: 'tag' }),
    ip: el('span', { class: 'mono' }),
    seen: el('time', {}),
    total: el('span', {}),
    rate: el('span', { class: 'quiet small' }),
    /** Who does not see the row hears whose file a button makes. */
    of: [srOnly(''), srOnly('')],
  }
  const cell = (name, ...inside) => el('td', { role: 'cell', class: name }, ...inside)
  const [, public_key] = key.split(' ')
  const button = (kind, word, at) =>
    el('button', { type: 'button', class: 'btn', onclick: () => open(row.peer, kind) }, word, row.of[at])
  row.root = el(
    'tr',
    { role: 'row', 'data-key': public_key },
    cell('who', el('div', {}, row.lamp, row.name, row.site)),
    cell('ip', row.ip),
    cell(
      'key',
      el('code', { title: public_key }, shortKey(public_key)),
      copyButton('the public key', () => public_key),
    ),
    cell('seen', row.seen),
    cell('traffic end', row.total, row.rate),
    cell('acts', button('file', 'Config', 0), button('qr', 'QR', 1)),
  )
  rows.set(key, row)
  return row
}

/** Called each second. */
export function tickPeers() {
  for (const row of rows.values()) if (row.root.isConnected) tickRow(row)
}

function tickRow({ peer, seen }) {
  if (peer.last_handshake === null) return setText(seen, 'never')
  const at = Date.parse(peer.last_handshake)
  setText(seen, ago(Math.max(0, (Date.now() - at) / 1000)))
  if (seen.dateTime === peer.last_handshake) return
  seen.dateTime = peer.last_handshake
  seen.title = `${wholeTime(at)}${peer.endpoint === null ? '' : `, from ${peer.endpoint}`}`
}

function forget(peers) {
  const there = new Set((peers ?? []).map(keyOf))
  for (const key of rows.keys()) if (!there.has(key)) rows.delete(key)
}

const STATED = new Set(['ok', 'stale'])
const namesOf = (sites) => sites.map(({ name }) => name).join(' and ')

/** Nothing yet, nothing known, nothing set up, nothing there, and nothing that fits are five different things. */
function pictureOf({ sites, peers, problem }, { site, words }, { reset, again }) {
  const try_again = () => el('button', { type: 'button', class: 'btn', onclick: again }, 'Try again')
  if (peers === null && problem === null) return 'loading'
  const asked = (sites ?? []).filter(({ site_id }) => site === null || site_id === site)
  const configured = asked.filter(({ status }) => status !== 'not_configured')
  if (sites !== null && asked.length > 0 && configured.length === 0)
    return picture('off', `${namesOf(asked)}: not set up.`, asked[0].detail)
  if (peers === null) return picture('unknown', 'The peers are not known.', problem, try_again())
  const unknown = configured.filter(({ peer_count }) => peer_count === null)
  if (unknown.length === configured.length && unknown.length > 0)
    return picture(
      'unknown',
      `The peers of ${namesOf(unknown)} are not known.`,
      unknown.map(({ detail }) => detail).join(' '),
      try_again(),
    )
  const all = el('button', { type: 'button', class: 'btn', onclick: reset }, 'Show all')
  if (words.trim() !== '' && peers.length > 0)
    return picture('idle', `None of ${peers.length} fits.`, null, all)
  return picture(
    'empty',
    'No peer yet.',
    'Peers are made at the WireGuard server of the gateway, and seen here within a minute.',
    site !== null && peers.length > 0 ? all : null,
  )
}

/** A list that is not whole says of what it knows nothing. */
function showGap({ sites }, { site }, count) {
  const gap = byId('gap')
  const asked = (sites ?? []).filter(({ site_id }) => site === null || site_id === site)
  const unread = asked.filter(({ status }) => status !== 'not_configured' && !STATED.has(status))
  const stale = asked.filter(({ status }) => status === 'stale')
  const said = [
    ...(unread.length > 0 ? [`Of ${namesOf(unread)} nothing is known as of now: peers may be missing.`] : []),
    ...(stale.length > 0 ? [`The peers of ${namesOf(stale)} are old; the card says since when.`] : []),
  ].join(' ')
  gap.hidden = count === 0 || said === ''
  setText(gap, said)
}
