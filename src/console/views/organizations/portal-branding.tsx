import type { DataOf } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { Form, TextField, type Values } from "../../ui/form.tsx"

type Portal = DataOf<"/api/portal/{id}", "get">

/** Empty fields clear the portal's own value: the academy's applies. */
const toBody = (values: Values) => ({
  logoUrl: values.text("logoUrl"),
  primaryColor: values.text("primaryColor"),
  secondaryColor: values.text("secondaryColor"),
  senderName: values.text("senderName"),
  replyTo: values.text("replyTo"),
})
export type PortalBrandingBody = ReturnType<typeof toBody>

interface PortalBrandingProps {
  portal: Portal
  save: (body: PortalBrandingBody) => Promise<unknown>
}

/** The logo, colors and mail sender of a portal. */
export const PortalBranding = ({ portal, save }: PortalBrandingProps) => (
  <Form submit={t("save")} onSubmit={(values) => save(toBody(values))}>
    <p class="quiet">{t("organizations:branding.hint")}</p>
    <TextField
      name="logoUrl"
      label={t("organizations:branding.logo")}
      type="url"
      defaultValue={portal.logoUrl ?? ""}
      maxLength={2000}
      dir="ltr"
    />
    {(["primaryColor", "secondaryColor"] as const).map((field) => (
      <TextField
        key={field}
        name={field}
        label={t(`organizations:branding.${field}`)}
        placeholder="#1a2b3c"
        pattern="#[0-9a-fA-F]{6}"
        defaultValue={portal[field] ?? ""}
        dir="ltr"
      />
    ))}
    <TextField
      name="senderName"
      label={t("organizations:branding.sender")}
      hint={t("organizations:branding.sender.hint")}
      defaultValue={portal.senderName ?? ""}
      maxLength={100}
    />
    <TextField
      name="replyTo"
      label={t("organizations:branding.reply-to")}
      type="email"
      defaultValue={portal.replyTo ?? ""}
      dir="ltr"
    />
  </Form>
)
