/** The dashboard: asks each minute while it is seen, lets ages run each second, and says when it was answered last. */
import { call } from './api.js'
import { showSites, tickSites } from './cards.js'
import { closeDialog, openDialog } from './dialog.js'
import { byId, el, lamp, setText } from './dom.js'
import { showPeers, sorted, tickPeers } from './peers.js'
import { ago, timeOfDay } from './words.js'

const POLL_MS = 60_000
const TICK_MS = 1_000
const FILTERS = [
  [null, 'All'],
  ['uk', 'UK'],
  ['fr', 'FR'],
]

const state = {
  sites: null,
  /** By site; null while no name was checked. */
  drift: null,
  peers: null,
  /** Why there are none to show. */
  problem: null,
  /** When sites came last. */
  told: null,
  /** Why nothing came the last time. */
  lost: null,
}
const wish = { site: null, words: '' }

const mark = () => ({ wall: Date.now(), ticks: performance.now() })

/** Seconds. One of the clocks stands still while a machine sleeps, the other may be set: what is known never looks younger. */
const since = ({ wall, ticks }) => Math.max(0, Date.now() - wall, performance.now() - ticks) / 1000

let polling = null
let next = null
let asked = null

async function poll() {
  polling?.abort(new Error('Another poll began.'))
  clearTimeout(next)
  asked = mark()
  const run = new AbortController()
  polling = run
  try {
    const options = { signal: run.signal }
    void readDrift(options)
    const [sites, peers] = await Promise.all([call('api/sites', options), call('api/clients', options)])
    take(sites, peers)
  } catch (error) {
    if (run.signal.aborted) return
    state.lost = error.message
  }
  polling = null
  show()
  plan(POLL_MS)
}

function take(sites, peers) {
  const refusal = [sites, peers].find(({ ok, status }) => !ok && status !== 503)
  state.lost = refusal === undefined ? null : refusal.detail
  if (sites.ok) takeSites(sites.body)
  if (peers.ok) state.peers = sorted(peers.body)
  state.problem = peers.ok ? null : peers.detail
  // A list that was there is kept: its site says how old it is.
}

function takeSites(sites) {
  state.sites = sites
  state.told = mark()
  for (const [at, { site_id, name }] of sites.entries())
    if (FILTERS[at + 1]?.[0] === site_id) setText(byId('filter').children[at + 1], name)
}

const withSites = (peers) =>
  peers.map((peer) => {
    const site = state.sites?.find(({ site_id }) => site_id === peer.site_id)
    const is_known = state.lost === null && site?.status === 'ok'
    return { ...peer, site_name: site?.name ?? peer.site_id.toUpperCase(), is_known }
  })

/** A slow resolver holds up nothing else. */
async function readDrift(options) {
  const answer = await call('api/drift', options).catch(() => null)
  if (options.signal.aborted) return
  const sites = answer?.ok === true ? answer.body.sites : null
  state.drift = sites && new Map(sites.map((one) => [one.site_id, one]))
  if (state.sites !== null) show()
}

/** Nobody is asked for a page that is not seen. */
function plan(wait_ms) {
  clearTimeout(next)
  if (!document.hidden) next = setTimeout(() => void poll(), wait_ms)
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) {
    const wait_ms = asked === null || polling !== null ? 0 : POLL_MS - since(asked) * 1000
    return wait_ms <= 0 ? void poll() : (show(), plan(wait_ms))
  }
  clearTimeout(next)
  polling?.abort(new Error('The page is hidden.'))
  if (polling !== null) asked = null
  polling = null
})

function show() {
  if (state.sites !== null)
    showSites(byId('sites'), state.sites, {
      ...state,
      elapsed: since(state.told),
      is_lost: state.lost !== null,
    })
  const problem = state.problem ?? (state.peers === null ? state.lost : null)
  showPeers({ ...state, peers: state.peers && withSites(state.peers), problem }, wish, acts)
  if (state.sites === null && state.lost !== null)
    byId('sites').replaceChildren(el('li', { class: 'box card c-unknown' }, 'The sites are not known.'))
  showLine()
}

/** The top right says in a word whether anything comes; the band says in a sentence that nothing does. */
function showLine() {
  const line = byId('line')
  const band = byId('band')
  const is_lost = state.lost !== null
  if (line.dataset.lost !== String(is_lost))
    line.replaceChildren(lamp(is_lost ? 'unknown' : 'ok'), el('span', { id: 'line-said' }))
  line.dataset.lost = String(is_lost)
  line.classList.toggle('c-unknown', is_lost)
  if (is_lost && band.hidden) {
    const again = el('button', { type: 'button', class: 'btn', onclick: () => void poll() }, 'Try now')
    band.replaceChildren(lamp('unknown'), el('span', { id: 'band-said', role: 'alert' }), again)
  }
  band.hidden = !is_lost
  if (is_lost) {
    const last =
      state.told === null
        ? 'Nothing was read yet.'
        : `Last seen ${timeOfDay(state.told.wall)}. What stands here was true then.`
    setText(byId('band-said'), `${state.lost} ${last}`)
  }
  tickLine()
}

function tickLine() {
  const said = byId('line-said')
  if (said === null) return
  if (state.told === null) return setText(said, state.lost === null ? '' : 'not seen yet')
  setText(said, state.lost === null ? 'live' : `last seen ${ago(since(state.told))}`)
}

setInterval(() => {
  if (state.told !== null) tickSites(since(state.told))
  tickPeers()
  tickLine()
}, TICK_MS)

async function sync() {
  const button = byId('sync')
  const said = byId('synced')
  button.disabled = true
  setText(said, 'Reading the gateways')
  try {
    const answer = await call('api/sync', { method: 'POST', body: {} })
    if (answer.ok) {
      takeSites(answer.body.sites)
      setText(said, answer.body.success ? 'All were read' : 'Not all could be read')
      void poll()
    } else {
      const wait = answer.retry_after_s === null ? '' : ` Again in ${answer.retry_after_s} s.`
      setText(said, `${answer.detail}${wait}`)
    }
  } catch (error) {
    state.lost = error.message
    setText(said, '')
    show()
  }
  button.disabled = false
}

/** The address keeps the filter, and nothing else. */
function readAddress() {
  const query = new URLSearchParams(location.search)
  const site = query.get('site')
  wish.site = FILTERS.some(([id]) => id === site) ? site : null
  wish.words = query.get('q') ?? ''
  byId('search').value = wish.words
}

function choose(changes) {
  Object.assign(wish, changes)
  const query = new URLSearchParams()
  if (wish.site !== null) query.set('site', wish.site)
  if (wish.words.trim() !== '') query.set('q', wish.words)
  history.replaceState(null, '', query.size === 0 ? location.pathname : `?${query}`)
  showFilter()
  show()
}

function showFilter() {
  for (const [at, button] of [...byId('filter').children].entries())
    button.setAttribute('aria-pressed', String(FILTERS[at][0] === wish.site))
}

const acts = {
  open: openDialog,
  again: () => void poll(),
  reset: () => {
    byId('search').value = ''
    choose({ site: null, words: '' })
  },
}

byId('filter').append(
  ...FILTERS.map(([site, word]) => el('button', { type: 'button', onclick: () => choose({ site }) }, word)),
)
byId('search').addEventListener('input', ({ target }) => choose({ words: target.value }))
byId('sync').addEventListener('click', () => void sync())
addEventListener('pagehide', () => closeDialog())
addEventListener('keydown', (event) => {
  const is_typing = event.target instanceof HTMLInputElement || byId('dialog').open
  if (event.key !== '/' || is_typing || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  byId('search').focus()
})

readAddress()
showFilter()
if (!document.hidden) void poll()
