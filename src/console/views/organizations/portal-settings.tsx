import type { DataOf } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { Form, Select, TextArea, TextField, type Values } from "../../ui/form.tsx"

type Portal = DataOf<"/api/portal/{id}", "get">

const MAX_SEATS = 10_000_000

const toBody = (values: Values, portal: Portal) => {
  const expires = values.text("expiryDate")
  return {
    name: values.text("name"),
    slug: values.text("slug"),
    status: values.text("status") === "inactive" ? ("inactive" as const) : ("active" as const),
    totalSeat: values.number("totalSeat") ?? 0,
    // An unchanged day keeps its time.
    expiryDate: expires === (portal.expiryDate?.slice(0, 10) ?? "") ? portal.expiryDate : expires || null,
    expiryMessage: values.text("expiryMessage"),
    referralCode: values.text("referralCode"),
  }
}
export type PortalSettingsBody = ReturnType<typeof toBody>

interface PortalSettingsProps {
  portal: Portal
  save: (body: PortalSettingsBody) => Promise<unknown>
}

/** Name, address, seats and expiry of a portal. */
export const PortalSettings = ({ portal, save }: PortalSettingsProps) => (
  <Form submit={t("save")} onSubmit={(values) => save(toBody(values, portal))}>
    <TextField name="name" label={t("name")} defaultValue={portal.name} required maxLength={100} />
    <TextField
      name="slug"
      label={t("organizations:portal.slug")}
      hint={t("organizations:portal.slug.hint")}
      defaultValue={portal.slug}
      required
      maxLength={100}
      dir="ltr"
    />
    <Select
      name="status"
      label={t("organizations:status")}
      hint={t("organizations:portal.status.hint")}
      options={["active", "inactive"].map((value) => ({ value, label: t(`organizations:status.${value}`) }))}
      value={portal.status}
    />
    <TextField
      name="totalSeat"
      label={t("organizations:seats")}
      hint={t("organizations:portal.seats.hint")}
      type="number"
      min={0}
      max={MAX_SEATS}
      defaultValue={portal.totalSeat}
    />
    <TextField
      name="expiryDate"
      label={t("organizations:portal.expires")}
      hint={t("organizations:portal.expires.hint")}
      type="date"
      defaultValue={portal.expiryDate?.slice(0, 10) ?? ""}
    />
    <TextArea
      name="expiryMessage"
      label={t("organizations:portal.expiry-message")}
      defaultValue={portal.expiryMessage}
      maxLength={1000}
      rows={3}
    />
    <TextField
      name="referralCode"
      label={t("organizations:portal.code")}
      hint={t("organizations:portal.code.hint")}
      defaultValue={portal.referralCode}
      required
      maxLength={50}
      dir="ltr"
    />
  </Form>
)
