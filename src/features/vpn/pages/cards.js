/** The cards of the sites. Each is made once and changed in place, so that focus and selection last. */
import { copyButton, drawing, el, lamp, place, setText } from './dom.js'
import { age, peers, shortKey, STATES, timeOfDay, wholeTime } from './words.js'

const cards = new Map()

/**
 * @param sites as the API says; @param drift its answer about names by site, or null while it was not asked
 * @param elapsed seconds since the sites were told; @param is_lost whether the server is silent since
 */
export function showSites(list, sites, { drift, elapsed, is_lost }) {
  list.setAttribute('aria-busy', 'false')
  place(
    list,
    sites.map((site) => {
      const card = cards.get(site.site_id) ?? newCard(site.site_id)
      showSite(card, { ...site, is_lost }, drift?.get(site.site_id) ?? null)
      return card.root
    }),
  )
  tickSites(elapsed)
}

/** Called each second. */
export function tickSites(elapsed) {
  for (const { since, site } of cards.values())
    setText(since, site.cache_age_s === null ? 'never read' : age(site.cache_age_s + elapsed))
}

function newCard(site_id) {
  const part = (name, attributes) => el(name, attributes)
  const card = {
    site: null,
    root: part('li', { class: 'box card', 'data-site': site_id }),
    name: part('h3'),
    count: part('span', { class: 'quiet' }),
    state: part('span', { class: 'state' }),
    words: part('div', { class: 'words' }),
    key: part('dd'),
    endpoint: part('dd'),
    port: part('dd', { class: 'mono' }),
    subnet: part('dd', { class: 'mono' }),
    since: part('dd', { class: 'since', 'aria-live': 'off' }),
    seen: '',
  }
  const row = (title, value) => el('div', {}, el('dt', {}, title), value)
  card.root.append(
    el('header', {}, card.name, card.count, card.state),
    card.words,
    el(
      'dl',
      { class: 'facts' },
      row('Server key', card.key),
      row('DNS endpoint', card.endpoint),
      row('Port', card.port),
      row('Tunnel', card.subnet),
      row('Age', card.since),
    ),
  )
  cards.set(site_id, card)
  return card
}

function showSite(card, site, names) {
  card.site = site
  card.since.title = site.last_sync_ts === null ? '' : `Read at ${wholeTime(Date.parse(site.last_sync_ts))}`
  const seen = JSON.stringify([{ ...site, cache_age_s: 0, last_sync_ts: 0 }, names, staleSince(site)])
  if (seen === card.seen) return
  card.seen = seen
  const { lamp: shape, word } = stateOf(site)
  card.root.dataset.state = site.status
  setText(card.name, site.name)
  setText(card.count, site.peer_count === null ? '' : peers(site.peer_count))
  card.state.replaceChildren(lamp(shape), word)
  card.words.replaceChildren(...wordsOn(site, names))
  card.key.replaceChildren(...keyOf(site))
  card.endpoint.replaceChildren(...endpointOf(site, names))
  setText(card.port, site.wg_port === null ? '–' : String(site.wg_port))
  setText(card.subnet, site.subnets.length === 0 ? '–' : site.subnets.join(', '))
}

/** Nothing is green that is not seen now, or that somebody should look at. */
function stateOf({ status, is_lost, replaced_server_key }) {
  const state = STATES[status] ?? { lamp: 'unknown', word: status }
  if (status !== 'ok') return state
  if (is_lost) return { lamp: 'unknown', word: 'Unknown now' }
  return replaced_server_key === null ? state : { lamp: 'wrong', word: 'Server key changed' }
}

const staleSince = ({ status, last_sync_ts }) => (status === 'ok' ? null : last_sync_ts)

function* wordsOn(site, names) {
  const { means = null, help = null } = STATES[site.status] ?? {}
  const since = staleSince(site)
  if (since !== null) yield el('p', {}, el('b', {}, `As of ${timeOfDay(Date.parse(since))}.`))
  for (const text of [means, site.detail, help]) if (text !== null) yield el('p', {}, text)
  if (site.replaced_server_key !== null) yield keyChanged(site.replaced_server_key)
  if (site.dropped_peers > 0)
    yield el('p', {}, `${peers(site.dropped_peers)} of the export could not be read.`)
  if (names?.matches_wan === false)
    yield el(
      'p',
      { class: 'c-differs' },
      `The name leads to ${names.addresses.join(', ')}; the gateway has ${names.wan_address}.`,
    )
  if (site.host_key === 'first_use')
    yield el(
      'p',
      { class: 'quiet' },
      `Its host key was taken at first contact. UCG_${site.site_id.toUpperCase()}_HOST_KEY pins it.`,
    )
}

const keyChanged = ({ public_key, at }) =>
  el(
    'p',
    { class: 'c-wrong' },
    el('b', {}, 'The server has another key '),
    `since ${wholeTime(Date.parse(at))}; it was `,
    el('code', {}, public_key),
    '. Files that were made before connect no more. If nobody changed it, somebody else may answer there.',
  )

function keyOf({ server_public_key, status, name }) {
  if (server_public_key === null)
    return [el('span', { class: status === 'not_configured' ? 'quiet' : 'c-unknown' }, 'Key unavailable')]
  return [
    el('code', { title: server_public_key }, shortKey(server_public_key)),
    copyButton(`the server key of ${name}`, () => server_public_key),
  ]
}

/** A name that nobody asked for is neither well nor broken. */
function endpointOf({ dns_endpoint }, names) {
  const [shape, word] =
    names === null || !names.configured
      ? [names === null ? 'unknown' : 'off', 'not checked']
      : names.resolves
        ? ['ok', 'resolves']
        : ['wrong', 'does not resolve']
  const title = names === null ? null : (names.error ?? names.addresses.join(', '))
  return [
    el('span', { class: 'mono' }, dns_endpoint),
    el('span', { class: `resolves small c-${shape}`, title }, lamp(shape), word),
  ]
}

/** What stands in the place of a list: what is meant, drawn and in words. */
export function picture(kind, title, text, ...acts) {
  const shape = kind === 'empty' ? drawing('mark', 22, 'brand') : lamp(kind)
  return el(
    'div',
    { class: `picture p-${kind}`, role: kind === 'unknown' ? 'alert' : null },
    shape,
    el('b', {}, title),
    text === null ? null : el('p', {}, text),
    ...acts,
  )
}
