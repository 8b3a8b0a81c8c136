/** Calls the API. Addresses are relative: the page stands at `/` of one listener and at `/companions/vpn/` of another. */

/** The server waits up to eight seconds for a gateway. */
const WITHIN_MS = 20_000

/** Nothing that can be read came back. */
export class Lost extends Error {}

/**
 * A problem of ours comes as `{ ok: false, status, detail, errors, retry_after_s }`, what was asked for as
 * `{ ok: true, body }`. Throws `Lost`, and the reason of the signal.
 */
export async function call(path, { method = 'GET', body, accept = 'application/json', signal } = {}) {
  const limit = AbortSignal.timeout(WITHIN_MS)
  return take(path, signal, {
    method,
    headers: {
      Accept: accept,
      ...sessionSecret(),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    cache: 'no-store',
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** Of the console's sign-in, where this page stands beside it; the cookie alone is none for what is posted. */
function sessionSecret() {
  try {
    const secret = window.localStorage.getItem('plumbline.session-secret')
    return secret === null ? {} : { 'X-Plumbline-Session-Secret': secret }
  } catch {
    return {}
  }
}

const ALIEN = new TypeError()

async function take(path, signal, options) {
  try {
    const response = await window.fetch(path, options)
    if (!response.ok) return await problem(response)
    const is_json = (response.headers.get('Content-Type') ?? '').startsWith('application/json')
    // A proxy before us asks for a sign-in where the API was asked for.
    if (is_json === options.headers.Accept.startsWith('image')) throw ALIEN
    return { ok: true, body: is_json ? await response.json() : await response.blob() }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw new Lost(
      error === ALIEN
        ? 'The answer is not the server’s: has your sign-in ended?'
        : 'The server does not answer.',
    )
  }
}

/** A proxy before us answers in words of its own. */
async function problem(response) {
  const { status } = response
  const told = await response.json().catch(() => ({}))
  const wait = Number(response.headers.get('Retry-After'))
  return {
    ok: false,
    status,
    detail:
      typeof told.detail === 'string' ? told.detail : `The answer was ${status} ${response.statusText}.`,
    errors: Array.isArray(told.errors) ? told.errors : [],
    retry_after_s: wait > 0 ? wait : null,
  }
}
