/** The first half of a handshake with an SSH server: it ends with the key that the server shows, before anybody logs in. */
import type { Client } from 'ssh2'
import { algorithmsFor, typeIn } from '../../../io/ssh/host-key.ts'
import type { ContactHost, HostContact, HostPlace } from '../contact-port.ts'

const WITHIN_MS = 3_000

export const contactHost: ContactHost = async (place, signal) => {
  const first = await shownKey(place, signal)
  // One that has no key of that kind any more shows which it has.
  return first === 'other kind'
    ? asContact(await shownKey({ ...place, type: null }, signal))
    : asContact(first)
}

const asContact = (shown: HostContact | 'other kind'): HostContact =>
  shown === 'other kind'
    ? { known: false, detail: 'It has no host key of a kind that is known here.' }
    : shown

async function shownKey(
  { host, port, type }: HostPlace,
  signal: AbortSignal,
): Promise<HostContact | 'other kind'> {
  signal.throwIfAborted()
  // Loaded on first use: who has no targets does not pay for it.
  const { default: ssh2 } = await import('ssh2')
  const client = new ssh2.Client()
  const shown = Promise.withResolvers<HostContact | 'other kind'>()
  const abort = () => shown.reject(signal.reason as Error)
  const timer = setTimeout(
    () => shown.resolve({ known: false, detail: 'It did not answer in time.' }),
    WITHIN_MS,
  )
  signal.addEventListener('abort', abort, { once: true })
  try {
    begin(client, { host, port, type }, shown)
    return await shown.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    client.destroy()
  }
}

function begin(
  client: Client,
  { host, port, type }: HostPlace,
  shown: PromiseWithResolvers<HostContact | 'other kind'>,
): void {
  const fail = (error: Error) =>
    shown.resolve(
      type !== null && /no matching host key format/i.test(error.message)
        ? 'other kind'
        : { known: false, detail: `It is not reached: ${error.message.slice(0, 200)}.` },
    )
  // Also what comes when it is all over, which nobody hears.
  client.on('error', fail)
  client.on('close', () => fail(new Error('the connection was closed')))
  const serverHostKey = type === null ? null : algorithmsFor([type])
  try {
    client.connect({
      host,
      port,
      username: 'plumbline',
      readyTimeout: WITHIN_MS,
      hostVerifier: (blob: Buffer) => {
        shown.resolve({ known: true, key: `${typeIn(blob)} ${blob.toString('base64')}` })
        return false
      },
      ...(serverHostKey !== null && { algorithms: { serverHostKey } }),
    })
  } catch (error) {
    fail(error as Error)
  }
}
