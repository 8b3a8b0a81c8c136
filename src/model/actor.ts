/** Who asked, as it is written into the audit trail and into releases. */
export interface Actor {
  /** `key`, `local`, `lan`, `sso:alice`, `cli`, `reconciler`. Never a secret. */
  readonly name: string
  /** Ours: no two requests share one. */
  readonly request_id: string
  /** How the caller calls the request, where it says so; it may say the same of several. */
  readonly caller_request_id?: string
}

/** Both names of the request, for the trail. */
export const requestOf = ({
  request_id,
  caller_request_id,
}: Actor): Pick<Actor, 'request_id' | 'caller_request_id'> =>
  caller_request_id === undefined ? { request_id } : { request_id, caller_request_id }
