/** A page that is being built. */
export const Changes = () => <h1>…</h1>
