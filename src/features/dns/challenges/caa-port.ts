/** Whether CAA records let an authority issue for a name (RFC 8659, RFC 8657), as the resolvers show them. */

export interface CaaCheck {
  /** Looks, changes nothing. Ends by the signal, whose reason is thrown; everything else is an answer. */
  evaluate(question: CaaQuestion, signal: AbortSignal): Promise<CaaResult>
}

export interface CaaQuestion {
  /** As it is to stand in the certificate: a lower-case A-label name, a leading `*.` for a wildcard. */
  readonly name: string
  /** The domain names by which the authority knows itself in CAA records; empty where they are not known. */
  readonly identities: readonly string[]
  /** Of our account there; null while it is not known. */
  readonly account_url: string | null
}

export interface CaaResult {
  /** Null: it cannot be told. */
  readonly allowed: boolean | null
  /** Whose records decide, what they say and what would help; null where there is nothing to say. */
  readonly detail: string | null
}
