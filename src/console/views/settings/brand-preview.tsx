import type { RefObject } from "preact"
import { useEffect, useState } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import { Values } from "../../ui/form.tsx"
import { type Branding, DEFAULT_COLOR, toBrandingBody } from "./brand-fields.tsx"

/** The values of the form within an element, while the user edits it. */
export function useFormValues(container: RefObject<HTMLElement>): Values | undefined {
  const [values, setValues] = useState<Values>()
  useEffect(() => {
    const element = container.current
    const update = () => {
      const form = element?.querySelector("form")
      if (form) setValues(new Values(new FormData(form)))
    }
    update()
    element?.addEventListener("input", update)
    return () => element?.removeEventListener("input", update)
  }, [])
  return values
}

const COLOR = /^#[0-9a-f]{6}$/i
/** A complete URL, or a file of the media library: the text may still be typed. */
const LOGO = /^(https?:\/\/\S+|\/api\/media\/\d+\/file)$/i

interface BrandPreviewProps {
  brand: Branding & { name: string }
}

function Logo({ brand: { logoUrl, name } }: BrandPreviewProps) {
  if (!logoUrl || !LOGO.test(logoUrl)) return null
  return <img src={logoUrl} alt={name} height="40" />
}

/** The content security policy refuses style attributes, but not styles that a script sets. */
const Button = ({ color, label }: { color: string; label: string }) => (
  <span class="brand-button" ref={(element) => element?.style.setProperty("background", color)}>
    {label}
  </span>
)

/** An email and the sign-in page with a brand. */
export function BrandPreview({ brand }: BrandPreviewProps) {
  const { name, primaryColor, senderName, replyTo } = brand
  const color = primaryColor && COLOR.test(primaryColor) ? primaryColor : DEFAULT_COLOR
  return (
    <aside class="brand-previews" aria-labelledby="brand-preview">
      <h2 id="brand-preview">{t("settings:preview")}</h2>
      <figure>
        <figcaption>{t("settings:preview.email")}</figcaption>
        <div class="paper">
          <dl class="mail-head">
            <dt>{t("settings:preview.from")}</dt>
            <dd dir="auto">{senderName || name}</dd>
            {replyTo && (
              <>
                <dt>{t("settings:preview.reply-to")}</dt>
                <dd dir="auto">{replyTo}</dd>
              </>
            )}
            <dt>{t("settings:preview.subject")}</dt>
            <dd>{t("settings:preview.invited", { academy: name })}</dd>
          </dl>
          <Logo brand={brand} />
          <p>{t("settings:preview.invitation", { academy: name })}</p>
          <p>
            <Button color={color} label={t("settings:preview.accept")} />
          </p>
          <p dir="auto">{name}</p>
        </div>
      </figure>
      <figure>
        <figcaption>{t("settings:preview.sign-in")}</figcaption>
        <div class="paper">
          <Logo brand={brand} />
          <p class="paper-title">{t("settings:preview.sign-in-to", { academy: name })}</p>
          <p class="paper-field">{t("settings:preview.address")}</p>
          <p class="paper-field">{t("settings:preview.password")}</p>
          <p>
            <Button color={color} label={t("settings:preview.sign-in-button")} />
          </p>
        </div>
      </figure>
    </aside>
  )
}

/** The brand in a form. @param fallback what applies where a field is empty */
export function toPreview(values: Values | undefined, name: string, fallback: Branding) {
  if (!values) return { ...fallback, name }
  const own = toBrandingBody(values)
  return {
    name: values.optional("name") ?? name,
    logoUrl: own.logoUrl || fallback.logoUrl,
    primaryColor: own.primaryColor || fallback.primaryColor,
    secondaryColor: own.secondaryColor || fallback.secondaryColor,
    senderName: own.senderName || fallback.senderName,
    replyTo: own.replyTo || fallback.replyTo,
  }
}
