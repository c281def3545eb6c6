import { contentDisposition } from "../../lib/files.ts"

/** The headers of a PDF that is saved under a name. */
export const pdfHeaders = (filename: string) => ({
  "content-type": "application/pdf",
  "content-disposition": contentDisposition(filename),
})
