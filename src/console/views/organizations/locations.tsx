import { MapPin } from "lucide-preact"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { number, t } from "../../messages/messages.ts"
import { TextField, type Values } from "../../ui/form.tsx"
import { RecordsPage } from "../../ui/records-page.tsx"

type Location = DataOf<"/api/location/{id}", "get">

const ADDRESS_FIELDS = ["addressLine1", "addressLine2", "city", "state", "zipcode", "country"] as const
const MAX_CAPACITY = 10_000_000

const toBody = (values: Values) => ({
  name: values.text("name"),
  addressLine1: values.text("addressLine1"),
  addressLine2: values.text("addressLine2"),
  city: values.text("city"),
  state: values.text("state"),
  zipcode: values.text("zipcode"),
  country: values.text("country"),
  capacity: values.number("capacity") ?? null,
})

const LocationFields = ({ location }: { location: Location | undefined }) => (
  <>
    <TextField name="name" label={t("name")} defaultValue={location?.name ?? ""} required maxLength={100} />
    {ADDRESS_FIELDS.map((field) => (
      <TextField
        key={field}
        name={field}
        label={t(`organizations:location.${field}`)}
        defaultValue={location?.[field] ?? ""}
        maxLength={255}
      />
    ))}
    <TextField
      name="capacity"
      label={t("organizations:location.capacity")}
      hint={t("organizations:location.capacity.hint")}
      type="number"
      min={0}
      max={MAX_CAPACITY}
      defaultValue={location?.capacity ?? ""}
    />
  </>
)

/** Where classes take place. */
export default function Locations() {
  return (
    <RecordsPage
      kind={{
        list: "/api/location/tabularlist",
        record: "/api/location/{id}",
        nameOf: ({ name }) => name,
        fields: (location) => <LocationFields location={location} />,
        toBody,
        create: (body) => api.POST("/api/location/create", { body }),
        change: (id, body, headers) => api.PUT("/api/location/{id}", { params: { path: { id } }, body, headers }),
        remove: (delete_ids) => api.POST("/api/location/delete", { body: { delete_ids } }),
        invalidates: ["/api/location", "/api/class"],
      }}
      icon={MapPin}
      texts={{
        title: t("organizations:locations"),
        new: t("organizations:location.new"),
        edit: t("organizations:location.edit"),
        delete: t("organizations:location.delete"),
        deleteHint: t("organizations:location.delete.hint"),
        empty: t("organizations:location.empty"),
      }}
      canChange
      filters={[{ name: "name", label: t("organizations:location.search") }]}
      columns={[
        {
          key: "address",
          title: t("organizations:location.address"),
          render: ({ addressLine1, city, country }) =>
            [addressLine1, city, country].filter(Boolean).join(", ") || t("none"),
        },
        {
          key: "capacity",
          title: t("organizations:location.capacity"),
          sort: "capacity",
          numeric: true,
          render: ({ capacity }) => (capacity === null ? t("none") : number(capacity)),
        },
      ]}
    />
  )
}
