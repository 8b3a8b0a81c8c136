/** The people whom the SSO provider knows. Only reads. */
export interface PeopleDirectory {
  /** Ordered by username. Throws a Failure (`component_unavailable`) where they cannot be read. */
  users(signal: AbortSignal): Promise<readonly KnownUser[]>
}

export interface KnownUser {
  readonly username: string
  readonly groups: readonly string[]
  readonly disabled: boolean
}
