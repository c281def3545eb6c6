import type { Child } from "hono/jsx"
import { type Brand, buttonColors } from "../../lib/web/brand.ts"

/** A rendered email. */
export interface RenderedMail {
  subject: string
  text: string
  html: string
}

/** The inline style of buttons in the brand's color. */
export function buttonStyle(brand: Brand): string {
  const { background, text } = buttonColors(brand)
  return (
    `display: inline-block; padding: 0.6rem 1rem; border-radius: 0.375rem; text-decoration: none; ` +
    `background: ${background}; color: ${text}`
  )
}

/** A mail's document: the logo, the content and the name of the brand. It loads nothing but the logo. */
export const renderFrame = ({
  brand,
  subject,
  language = "en",
  direction = "ltr",
  footer,
  children,
}: {
  brand: Brand
  subject: string
  language?: string
  direction?: "ltr" | "rtl"
  footer?: Child
  children: Child
}): string =>
  `<!doctype html>${(
    <html lang={language} dir={direction}>
      <head>
        <meta charset="utf-8" />
        <title>{subject}</title>
      </head>
      <body style="font-family: sans-serif; line-height: 1.5; max-width: 36rem">
        {brand.logoUrl && (
          <p>
            <img src={brand.logoUrl} alt={brand.name} height="48" />
          </p>
        )}
        {children}
        <p>{brand.name}</p>
        {footer && <p style="font-size: 0.875rem">{footer}</p>}
      </body>
    </html>
  )}`
