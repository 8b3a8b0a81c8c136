/** A page that is being built. */
export const Start = () => <h1>…</h1>
