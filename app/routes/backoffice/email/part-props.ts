import type { EmailTemplate } from "#views/identity";
import type { FieldState } from "../../../ui/forms/field.tsx";

/** Props of each part of the editor. */
export interface PartProps {
  fields: Record<
    | (
        | "layout"
        | "subjectMn"
        | "subjectEn"
        | "brandName"
        | "logoUrl"
        | "borderRadius"
        | "fontSize"
        | "lineHeight"
      )
    | ("primaryColor" | "buttonColor" | "backgroundColor" | "textColor" | "headerColor" | "customCss")
    | ("buttonTextMn" | "buttonTextEn" | "footerTextMn" | "footerTextEn"),
    FieldState
  >;
  template: EmailTemplate;
}
