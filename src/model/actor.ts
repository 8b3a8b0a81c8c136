/** Who asked, as it is written into the audit trail and into releases. */
export interface Actor {
  /** `key`, `local`, `lan`, `sso:alice`, `cli`, `reconciler`. Never a secret. */
  readonly name: string
  readonly request_id: string
}
