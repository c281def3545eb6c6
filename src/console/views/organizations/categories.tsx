import { Tags } from "lucide-preact"
import { api } from "../../api/client.ts"
import { number, t } from "../../messages/messages.ts"
import { TextField } from "../../ui/form.tsx"
import { RecordsPage } from "../../ui/records-page.tsx"
import { UrlSelect } from "../../ui/url-select.tsx"
import { useUrlState } from "../../ui/url-state.ts"

const TYPES = ["course", "user", "module", "question", "product"] as const
type CategoryType = (typeof TYPES)[number]

const isType = (text: string | undefined): text is CategoryType =>
  (TYPES as readonly (string | undefined)[]).includes(text)

/** The categories of courses, users, modules, questions and products. */
export default function Categories() {
  const { query } = useUrlState()
  const type = isType(query.tab) ? query.tab : "course"
  return (
    <RecordsPage
      kind={{
        list: `/api/${type}category/tabularlist` as const,
        record: "/api/category/{id}",
        nameOf: ({ name }) => name,
        fields: (category) => (
          <TextField
            name="category_name"
            label={t("name")}
            defaultValue={category?.name ?? ""}
            required
            maxLength={100}
          />
        ),
        toBody: (values) => ({ category_name: values.text("category_name") }),
        create: (body) => api.POST("/api/category/create", { body: { ...body, categoryType: type } }),
        change: (id, body, headers) => api.PUT("/api/category/{id}", { params: { path: { id } }, body, headers }),
        remove: (delete_ids) => api.POST("/api/category/delete", { body: { delete_ids } }),
        invalidates: [`/api/${type}category`, "/api/category", "/api/categories"],
      }}
      icon={Tags}
      texts={{
        title: t("organizations:categories"),
        new: t("organizations:category.new"),
        edit: t("organizations:category.edit"),
        delete: t("organizations:category.delete"),
        deleteHint: t("organizations:category.delete.hint"),
        empty: t("organizations:category.empty"),
      }}
      canChange
      filters={[{ name: "categoryName", label: t("organizations:search") }]}
      columns={[
        {
          key: "count",
          title: t("organizations:category.count"),
          sort: "count",
          numeric: true,
          render: ({ count }) => number(count),
        },
        { key: "author", title: t("organizations:category.author"), render: ({ author }) => author || t("none") },
      ]}
      selector={
        <UrlSelect
          name="tab"
          label={t("organizations:category.types")}
          value={type}
          options={TYPES.map((value) => ({ value, label: t(`organizations:category.${value}`) }))}
        />
      }
    />
  )
}
