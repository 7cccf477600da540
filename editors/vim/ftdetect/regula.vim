" Models of regula.
autocmd BufRead,BufNewFile *.rg setfiletype regula
