/** Listening on an address, and why it cannot be done. */
import { createServer, type AddressInfo, type Server } from 'node:net'
import { Failure, systemErrorCode } from '../../kernel/failure.ts'

interface ListenOptions {
  readonly host: string
  readonly port: number
  /** The setting that says so. */
  readonly setting?: string | undefined
}

/** Throws `bad_configuration`. */
export function listenOn(server: Server, options: ListenOptions): Promise<AddressInfo> {
  const { host, port } = options
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(unlistenable(error, options))
    server.once('error', fail)
    server.listen({ host, port }, () => {
      server.off('error', fail)
      resolve(server.address() as AddressInfo)
    })
  })
}

function unlistenable(cause: Error, { host, port, setting = 'PLUMBLINE_LISTEN' }: ListenOptions): Failure {
  const code = systemErrorCode(cause)
  const why: Record<string, string> = {
    EADDRINUSE: 'the port is taken by another process. Stop it, or choose another port',
    EADDRNOTAVAIL: 'this host does not have that address. Choose one that it has',
    EACCES: 'the port needs a privilege. Choose a port above 1023',
    ENOTFOUND: 'the name has no address. Write the address itself',
  }
  const reason = why[code ?? ''] ?? `it failed with ${code ?? cause.message}. Choose another address`
  return new Failure('bad_configuration', `${setting}: cannot listen on ${host}:${port}: ${reason}.`, {
    cause,
  })
}

/** Whether it could be listened on by now: looked at before anything is written for it. Throws `bad_configuration`. */
export async function assertListenable(options: ListenOptions): Promise<void> {
  if (options.port === 0) return
  const server = createServer()
  await listenOn(server, options)
  await new Promise<void>((closed) => void server.close(() => closed()))
}
