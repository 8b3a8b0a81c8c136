/** The headers by which the SSO provider tells a backend who signed in: the only ones that a route takes from the client. */
export const IDENTITY_HEADERS = ['Remote-User', 'Remote-Groups', 'Remote-Name', 'Remote-Email'] as const
