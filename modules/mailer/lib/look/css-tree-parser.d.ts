/** The parser alone: the rest of css-tree loads 20 MB and 60 ms of browsers' grammars. */
declare module "css-tree/parser" {
  export { parse as default } from "css-tree";
}
