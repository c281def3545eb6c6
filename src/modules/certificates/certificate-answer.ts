import { contentDisposition } from "../../lib/web/files.ts"

/** The headers of a downloaded PDF, with the characters that no font has. */
export const pdfHeaders = ({ filename, missing }: { filename: string; missing: string[] }) => ({
  "content-type": "application/pdf",
  "content-disposition": contentDisposition(filename),
  ...(missing.length > 0 && {
    "x-letters-without-font": missing
      .map((cluster) =>
        [...cluster].map((character) => `U+${character.codePointAt(0)?.toString(16).toUpperCase()}`).join("+"),
      )
      .join(", ")
      .slice(0, 500),
  }),
})
