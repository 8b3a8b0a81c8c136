/** The kinds of objects that a record has in the routes file: where each stands, and what its name begins with. */
import { roleMark, TRANSPORT_MARK } from './names.ts'

interface Kind {
  /** `http.routers` */
  readonly section: string
  /** To be followed by the domain. */
  readonly mark: string
}

/** Kinds of routers in the order of their marks, which is the order of the file. */
export const ROUTER_KINDS = [
  'assets',
  'document',
  'open_assets',
  'open_document',
  'open',
  'redirect',
  'site',
] as const

/** Of open paths among them. */
export const OPEN_KINDS = ['open_assets', 'open_document', 'open'] as const

const router = (role: Parameters<typeof roleMark>[0]): Kind => ({
  section: 'http.routers',
  mark: roleMark(role),
})

export const HTTP_KINDS = {
  cors: { section: 'http.middlewares', mark: roleMark('cors') },
  home: { section: 'http.middlewares', mark: roleMark('home') },
  assets: router('assets'),
  document: router('document'),
  open_assets: router('open-assets'),
  open_document: router('open-document'),
  open: router('open'),
  redirect: router('redirect'),
  site: router('site'),
  transport: { section: 'http.serversTransports', mark: TRANSPORT_MARK },
  service: { section: 'http.services', mark: roleMark('site') },
} as const satisfies Readonly<Record<string, Kind>>

export const TCP_KINDS = {
  tcp_router: { section: 'tcp.routers', mark: roleMark('tcp') },
  tcp_service: { section: 'tcp.services', mark: roleMark('tcp') },
} as const satisfies Readonly<Record<string, Kind>>

export const KINDS = { ...HTTP_KINDS, ...TCP_KINDS }

export type HttpKind = keyof typeof HTTP_KINDS
export type TcpKind = keyof typeof TCP_KINDS
export type RecordKind = HttpKind | TcpKind
