/**
 * A controller with ten thousand clients, and those who ask for them, in a process of their own, so that neither holds the
 * event loop that is measured. Asked by messages: `ask` calls a URL so many times, so many at once.
 */
import { createServer } from 'node:http'
import { request } from 'undici'

export interface Asking {
  readonly url: string
  readonly key: string
  readonly times: number
  readonly at_once: number
}
export interface Asked {
  readonly times_ms: readonly number[]
  readonly faults: readonly string[]
  /** How often the list of clients was read of the controller, since the start. */
  readonly looks: number
}

const CLIENTS = Number(process.argv[2])
const hex = (number: number) => (number & 255).toString(16).padStart(2, '0')
const client = (at: number) => {
  const mac = `02:00:5e:${hex(at >> 16)}:${hex(at >> 8)}:${hex(at)}`
  const wireless = { ap_mac: '02:00:5e:20:00:01', essid: 'lab', bssid: '02:00:5e:20:00:02', channel: 36 }
  const traffic = { rx_bytes: String(at * 1000), tx_bytes: at * 77, rx_packets: at, tx_packets: at * 2 }
  const more = {
    signal: -55,
    noise: -95,
    rssi: 41,
    tx_rate: 866_000,
    rx_rate: 780_000,
    radio: 'na',
    satisfaction: 98,
  }
  const times = { first_seen: 1_700_000_000, last_seen: 1_700_086_400, uptime: at, assoc_time: 1_700_000_000 }
  const name = {
    name: at % 3 === 0 ? `client ${at}` : undefined,
    hostname: `host-${at}`,
    oui: 'Example Corp',
  }
  const place = {
    ip: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
    network: 'Default',
    network_id: '5f',
    vlan: 1,
  }
  const hidden = { x_secret: 'a'.repeat(32), fingerprint: { dev_id: at, os_name: 12 }, note: '' }
  return {
    _id: `u${at}`,
    mac,
    is_wired: 'false',
    ...name,
    ...place,
    ...wireless,
    ...traffic,
    ...more,
    ...times,
    ...hidden,
  }
}
const answer = (data: readonly unknown[]) => Buffer.from(JSON.stringify({ meta: { rc: 'ok' }, data }))
const clients = answer(Array.from({ length: CLIENTS }, (_, at) => client(at)))
const none = answer([])
const sites = answer([{ _id: '5f', name: 'default', desc: 'Home' }])

let looks = 0
const server = createServer((asked, response) => {
  asked.resume()
  const path = asked.url ?? ''
  const is_list = path.endsWith('/stat/sta')
  looks += is_list ? 1 : 0
  const body = path.endsWith('/self/sites') ? sites : is_list ? clients : path.includes('/v2/') ? '[]' : none
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { readonly port: number }
  process.send!(`http://127.0.0.1:${port}`)
})

process.on('message', (asking: Asking) => void asked(asking))

async function asked({ url, key, times, at_once }: Asking): Promise<void> {
  const times_ms: number[] = []
  const faults: string[] = []
  let left = times
  const caller = async () => {
    while (left-- > 0) {
      const began = performance.now()
      try {
        const { statusCode, body } = await request(url, { headers: { 'x-api-key': key } })
        let bytes = 0
        for await (const chunk of body) bytes += (chunk as Buffer).length
        if (statusCode !== 200 || bytes < CLIENTS) faults.push(`${statusCode}, ${bytes} bytes`)
      } catch (error) {
        faults.push((error as { code?: string }).code ?? String(error))
      }
      times_ms.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: at_once }, caller))
  process.send!({ times_ms, faults, looks } satisfies Asked)
}
process.once('disconnect', () => process.exit())
