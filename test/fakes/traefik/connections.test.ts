/** What connections meet: certificates by name, backends over TLS, changes of the protocol, and TCP by server name (§2–4, §13). */
import { once } from 'node:events'
import { createServer as createTls } from 'node:https'
import { type AddressInfo, connect, createServer } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { certificateAuthority } from '../certificate-authority.ts'
import { atTraefik, routed, serve } from './at-traefik.ts'
import { itInDepth } from '../../kit/in-depth.ts'

describe('certificates', () => {
  itInDepth(
    '§13 are chosen by name; one that cannot be read is one line in the log and the default certificate',
    async () => {
      await using at = await atTraefik()
      const authority = certificateAuthority()
      const { cert, key } = authority.issue({ names: ['*.example'] })
      authority.close()
      const listed = { certFile: at.write('a.pem', cert), keyFile: at.write('a.key', key) }
      const config = (file: object) =>
        routed(at.backend, {
          router: { entryPoints: ['websecure'], tls: {} },
          root: { tls: { certificates: [file] } },
        })
      at.traefik.follow(at.write('routes.yml', config(listed)))
      expect((await at.get({ entrypoint: 'websecure' })).certificate).toBe('leaf')
      const lines = at.traefik.log.length
      at.write('routes.yml', config({ ...listed, certFile: '/nowhere.pem' }))
      expect(await at.get({ entrypoint: 'websecure' })).toMatchObject({
        status: 200,
        certificate: 'TRAEFIK DEFAULT CERT',
      })
      expect(at.traefik.log.length).toBe(lines + 1)
      expect(at.traefik.running.http.routers).toMatchObject([{ status: 'enabled' }])
    },
  )

  it('§2 a renewed file is seen when the routes file is touched, not before', async () => {
    await using at = await atTraefik()
    const authority = certificateAuthority()
    const [first, second] = [
      authority.issue({ names: ['a.example'] }),
      authority.issue({ names: ['other.example'] }),
    ]
    authority.close()
    const write = ({ cert, key }: typeof first) => ({
      certFile: at.write('a.pem', cert),
      keyFile: at.write('a.key', key),
    })
    const text = routed(at.backend, {
      router: { entryPoints: ['websecure'], tls: {} },
      root: { tls: { certificates: [write(first)] } },
    })
    at.traefik.follow(at.write('routes.yml', text))
    write(second)
    expect((await at.get({ entrypoint: 'websecure' })).certificate).toBe('leaf')
    at.write('routes.yml', text)
    expect((await at.get({ entrypoint: 'websecure' })).certificate).toBe('TRAEFIK DEFAULT CERT')
  })

  it('§13 a router with TLS is not there in plain text, nor one without it over TLS', async () => {
    await using at = await atTraefik()
    serve(at, {}, { entryPoints: ['web', 'websecure'], tls: {} })
    expect([(await at.get()).status, (await at.get({ entrypoint: 'websecure' })).status]).toEqual([404, 200])
    serve(at, {}, { entryPoints: ['web', 'websecure'] })
    expect([(await at.get()).status, (await at.get({ entrypoint: 'websecure' })).status]).toEqual([200, 404])
  })
})

describe('backends', () => {
  it('§4 over TLS are refused unless the transport overlooks their certificate', async () => {
    await using at = await atTraefik()
    const authority = certificateAuthority()
    const issued = authority.issue({ names: ['inner.example'] })
    authority.close()
    const server = createTls(issued, (_request, response) => response.end('inner'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const servers = [{ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` }]
    const config = (insecureSkipVerify: boolean) =>
      routed(at.backend, {
        http: {
          services: { s: { loadBalancer: { servers, serversTransport: 't' } } },
          serversTransports: { t: { insecureSkipVerify, maxIdleConnsPerHost: 1 } },
        },
      })
    at.traefik.follow(at.write('routes.yml', config(false)))
    expect((await at.get()).status).toBe(500)
    at.write('routes.yml', config(true))
    expect(await at.get()).toMatchObject({ status: 200, text: 'inner' })
    server.closeAllConnections()
    server.close()
  })

  it('a service without servers answers 503', async () => {
    await using at = await atTraefik()
    at.traefik.follow(
      at.write(
        'routes.yml',
        routed(at.backend, { http: { services: { s: { loadBalancer: { servers: [] } } } } }),
      ),
    )
    expect(await at.get()).toMatchObject({ status: 503, text: 'no available server\n' })
  })

  /** Answers a change of the protocol, and then says everything twice. */
  async function echo() {
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
        socket.on('data', (chunk) => socket.write(Buffer.concat([chunk, chunk])))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return server
  }

  it('a change of the protocol goes through, and is refused as any other request', async () => {
    await using at = await atTraefik()
    const server = await echo()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const config = (sourceRange: readonly string[]) =>
      routed(url, {
        router: { middlewares: ['lan'] },
        http: { middlewares: { lan: { ipAllowList: { sourceRange } } } },
      })
    const ask = async () => {
      const [host, port] = at.traefik.address('web').split(':')
      const socket = connect({ host: host!, port: Number(port) })
      socket.write('GET / HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      const [head] = (await once(socket, 'data')) as [Buffer]
      return { socket, status: head.toString().slice(9, 12) }
    }
    at.traefik.follow(at.write('routes.yml', config(['127.0.0.1'])))
    const { socket, status } = await ask()
    expect(status).toBe('101')
    socket.write('ab')
    expect(String((await once(socket, 'data'))[0])).toBe('abab')
    socket.destroy()
    at.write('routes.yml', config(['10.0.0.1']))
    const refused = await ask()
    expect(refused.status).toBe('403')
    refused.socket.destroy()
    server.close()
  })
})

describe('§3 TCP', () => {
  it('a name is passed through as it is, or its TLS ended here', async () => {
    await using at = await atTraefik()
    const authority = certificateAuthority()
    const issued = authority.issue({ names: ['db.example'] })
    authority.close()
    const behind = createTls(issued, (_request, response) => response.end())
    await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve))
    const address = `127.0.0.1:${(behind.address() as AddressInfo).port}`
    const tcp = (tls: object) => ({
      tcp: {
        routers: { db: { rule: 'HostSNI(`db.example`)', service: 'db', entryPoints: ['websecure'], tls } },
        services: { db: { loadBalancer: { servers: [{ address }] } } },
      },
    })
    const certificate = async () => {
      const [host, port] = at.traefik.address('websecure').split(':')
      const socket = connectTls({
        host: host!,
        port: Number(port),
        servername: 'db.example',
        rejectUnauthorized: false,
      })
      await once(socket, 'secureConnect')
      const { CN } = socket.getPeerCertificate().subject
      socket.destroy()
      return CN
    }
    at.traefik.follow(at.write('routes.yml', JSON.stringify(tcp({ passthrough: true }))))
    expect(await certificate()).toBe('leaf')
    at.write('routes.yml', JSON.stringify(tcp({})))
    expect(await certificate()).toBe('TRAEFIK DEFAULT CERT')
    behind.closeAllConnections()
    behind.close()
  })

  const NAMED = 'HostSNI(`db.example`)'
  it.each<[string, string | null, object, 'HTTP' | 'TCP']>([
    ['the name', 'Host(`db.example`)', { rule: NAMED }, 'HTTP'],
    ['the name and a path', 'Host(`db.example`) && PathPrefix(`/x`)', { rule: NAMED }, 'HTTP'],
    ['the star above', 'Host(`*.example`)', { rule: NAMED, priority: 5000 }, 'HTTP'],
    ['another name', 'Host(`a.example`)', { rule: NAMED }, 'TCP'],
    ['a pattern', 'HostRegexp(`.+`)', { rule: NAMED }, 'TCP'],
    ['no name', 'PathPrefix(`/`)', { rule: NAMED }, 'TCP'],
    ['the name, which it excludes', '!Host(`db.example`)', { rule: NAMED }, 'TCP'],
    [
      'no name, beside TCP for every name',
      'PathPrefix(`/`)',
      { rule: 'HostSNI(`*`)', priority: 5000 },
      'HTTP',
    ],
    ['no name, beside a TCP pattern', 'PathPrefix(`/`)', { rule: 'HostSNIRegexp(`.*`)' }, 'TCP'],
    ['another name, beside TCP for every name', 'Host(`a.example`)', { rule: 'HostSNI(`*`)' }, 'TCP'],
    ['nothing', null, { rule: 'HostSNI(`*`)' }, 'TCP'],
  ])('over TLS, beside an HTTP rule with %s', async (_, rule, tcp, expected) => {
    await using at = await atTraefik()
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => socket.end('HTTP/1.1 418 I am TCP\r\nConnection: close\r\n\r\n'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const place = { entryPoints: ['websecure'], tls: {}, service: 's' }
    at.traefik.provide('docker', {
      ...(rule !== null && {
        http: {
          routers: { site: { ...place, rule } },
          services: { s: { loadBalancer: { servers: [{ url: at.backend }] } } },
        },
      }),
      tcp: {
        routers: { db: { ...place, ...tcp } },
        services: { s: { loadBalancer: { servers: [{ address }] } } },
      },
    })
    const { status } = await at.get({ entrypoint: 'websecure', host: 'db.example' })
    expect(status === 418 ? 'TCP' : 'HTTP').toBe(expected)
    server.close()
  })

  it('a name without TLS is an error, a star is not', async () => {
    await using at = await atTraefik()
    const tcp = (rule: string) =>
      JSON.stringify({
        tcp: {
          routers: { db: { rule, service: 'db', entryPoints: ['ssh'] } },
          services: { db: { loadBalancer: { servers: [{ address: '127.0.0.1:1' }] } } },
        },
      })
    at.traefik.follow(at.write('routes.yml', tcp('HostSNI(`db.example`)')))
    expect(at.traefik.running.tcp.routers).toMatchObject([
      { status: 'disabled', error: [expect.stringContaining('has HostSNI matcher, but no TLS on router')] },
    ])
    at.write('routes.yml', tcp('HostSNI(`*`)'))
    expect(at.traefik.running.tcp.routers).toMatchObject([{ status: 'enabled', priorityStr: '-1' }])
  })
})
