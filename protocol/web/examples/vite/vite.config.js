// For `vite dev`, which would move the scripts of the package away from its files. `vite build` needs none of this.
export default { optimizeDeps: { exclude: ["whaleshogi"] } };
