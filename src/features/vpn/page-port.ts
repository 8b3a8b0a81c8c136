/** To read a file of the dashboard, as it is now. */
export type ReadPage = (file: string) => Promise<Buffer>
