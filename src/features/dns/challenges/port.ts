/**
 * TXT records for challenges, through the same accounts and locks as all other records. Several values may stand at one
 * name (a wildcard beside its apex); values of others at the name are left alone.
 */

/** A TXT record that answers a challenge (RFC 8555 §8.4). */
export interface ChallengeRecord {
  /** `_acme-challenge.example.com` */
  readonly name: string
  readonly value: string
}

export interface ChallengeRecords {
  /**
   * Whether a name could be answered for: null where it can, else why not, with what would help. Looks, changes nothing. A
   * provider that cannot be asked is a Failure.
   */
  obstacle(record_name: string, signal: AbortSignal): Promise<string | null>
  /** What stands there already is fine. `provider_refused` for what `obstacle` names; provider's trouble as it came. */
  present(record: ChallengeRecord, signal: AbortSignal): Promise<void>
  /** What is not there is fine, and so is a zone that no account has any more. */
  remove(record: ChallengeRecord, signal: AbortSignal): Promise<void>
  /**
   * Whether every authoritative server shows the value, of those that this host has a way to. `detail` names each server
   * that does not, or that did not answer.
   */
  visible(
    record: ChallengeRecord,
    signal: AbortSignal,
  ): Promise<{ readonly visible: boolean; readonly detail: string | null }>
}
