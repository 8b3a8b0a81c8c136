/** The static configuration: what Traefik knows from its start and no file of routes can change. */

export interface EntrypointPlan {
  readonly name: string
  readonly address: string
  /** Put before those of every router here. */
  readonly middlewares?: readonly string[]
  /** Given to every router here that has no TLS of its own. */
  readonly tls?: Readonly<Record<string, unknown>>
  readonly forwardedHeaders?: { readonly insecure?: boolean; readonly trustedIPs?: readonly string[] }
  readonly redirections?: {
    /** Another entry point, or `:port`. */
    readonly to: string
    readonly scheme?: string
    readonly permanent?: boolean
    readonly priority?: number
  }
  /** Where any has it, routers without entry points are on these alone. */
  readonly asDefault?: boolean
  /** Whether dots and double slashes are taken out of paths: they are, unless this says no. */
  readonly sanitizePath?: boolean
}

export interface StaticConfig {
  readonly entrypoints: readonly EntrypointPlan[]
  /** A router may name others: nothing says so but the certificate on the wire. */
  readonly cert_resolvers: readonly string[]
  readonly plugins: readonly string[]
}

export const ENTRYPOINTS: readonly EntrypointPlan[] = [
  { name: 'web', address: ':80' },
  { name: 'websecure', address: ':443' },
  { name: 'ssh', address: ':2222' },
  { name: 'smtp', address: ':25' },
]

/** Of routers that name none. */
export function defaultEntrypoints({ entrypoints }: StaticConfig): readonly string[] {
  const chosen = entrypoints.filter(({ asDefault }) => asDefault === true)
  return (chosen.length > 0 ? chosen : entrypoints).map(({ name }) => name)
}
