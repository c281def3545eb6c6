import { contentDisposition } from "../../lib/web/files.ts"

/** The headers of a PDF that is saved under a name, and of the letters that it shows as boxes. */
export const pdfHeaders = ({ filename, missing }: { filename: string; missing: string[] }) => ({
  "content-type": "application/pdf",
  "content-disposition": contentDisposition(filename),
  ...(missing.length > 0 && {
    "x-letters-without-font": missing
      .map((letters) =>
        [...letters].map((letter) => `U+${letter.codePointAt(0)?.toString(16).toUpperCase()}`).join("+"),
      )
      .join(", ")
      .slice(0, 500),
  }),
})
