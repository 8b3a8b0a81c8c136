/** To ask the resolver of this host for the addresses of a name. */
export type ResolvedName =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly detail: string }

/** Ends within five seconds and throws nothing. */
export type ResolveName = (name: string) => Promise<ResolvedName>
