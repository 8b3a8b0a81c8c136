/** The answers of handlers, with their status kept as a literal so that the contract can check the body against it. */
type Headers = Readonly<Record<string, string>>

export const ok = <Body>(body: Body, headers: Headers = {}) => ({ status: 200 as const, body, headers })
export const created = <Body>(body: Body, headers: Headers = {}) => ({ status: 201 as const, body, headers })
