/** Where the proxy is entered. */
export interface Entrypoints {
  /** Port number of each, for the identity view. */
  readonly entrypoint_ports: Readonly<Record<string, number>>
  readonly http_entrypoint: string
  readonly https_entrypoint: string
}
